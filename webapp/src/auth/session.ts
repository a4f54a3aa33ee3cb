import { type QueryClient, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, dataOf, type Schemas } from "../api/client";
import { sessionKey } from "./sessionKey";

export type User = Schemas["User"];

/**
 * Who is signed in. Any failure of the call means nobody, and it is not
 * repeated.
 */
export function useCurrentUser(): { readonly user: User | undefined; readonly loading: boolean } {
  const { data, isPending } = useQuery({
    queryKey: sessionKey,
    queryFn: async ({ signal }): Promise<User | null> =>
      dataOf(await api.GET("/api/auth/user", { signal })),
    retry: false,
  });
  return { user: data ?? undefined, loading: isPending };
}

/** Makes `user` the current one and forgets what was fetched for whoever was it before. */
function changeUser(queries: QueryClient, user: User | null): void {
  queries.setQueryData<User | null>(sessionKey, user);
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
}

/** Signs in; the answered user becomes the current one. */
export function useLogin() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: Schemas["Credentials"]) =>
      dataOf(await api.POST("/api/auth/login", { body })),
    onSuccess: (user) => changeUser(queries, user),
  });
}

/** Signs out here whatever the server says. */
export function useLogout() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => api.POST("/api/auth/logout"),
    onSettled: () => changeUser(queries, null),
  });
}
