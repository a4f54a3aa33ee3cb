import {
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { api, dataOf, type Schemas } from "../../api/client";
import { nextCursor } from "../../api/paging";
import { given } from "../shared/queries";

export type Role = Schemas["Role"];
export type Account = Schemas["Account"];

const sessionsKey = ["own-sessions"];
const accountsKey = ["accounts"];

/** Asked anew whenever it is shown: other browsers change it. */
const fresh = { staleTime: 0, gcTime: 0 } as const;

/** Where whoever is signed in is signed in. */
export function useSessions() {
  return useQuery({
    queryKey: sessionsKey,
    queryFn: async ({ signal }) => dataOf(await api.GET("/api/auth/sessions", { signal })),
    ...fresh,
  });
}

/** Ends one's own session of an id; all others without one. */
export function useSessionsEnd() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["SessionsEnd"]) => api.POST("/api/auth/sessions/end", { body }),
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsKey }),
  });
}

export function usePasswordChange() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["PasswordChange"]) => api.POST("/api/auth/password", { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: sessionsKey }),
  });
}

const secondFactorKey = ["own-second-factor"];

/** Whether one is asked for codes oneself. */
export function useSecondFactor() {
  return useQuery({
    queryKey: secondFactorKey,
    queryFn: async ({ signal }) => dataOf(await api.GET("/api/auth/second-factor", { signal })),
    ...fresh,
  });
}

/** Draws a secret for an app. */
export function useSecondFactorBegin() {
  return useMutation({
    mutationFn: async () => dataOf(await api.POST("/api/auth/second-factor/begin")),
    gcTime: 0,
  });
}

/** Shows a first code; the answer are the recovery codes. */
export function useSecondFactorConfirm() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (code: string) =>
      dataOf(await api.POST("/api/auth/second-factor/confirm", { body: { code } })),
    onSuccess: () => invalidate(queries),
    gcTime: 0,
  });
}

export function useSecondFactorRemoval() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["SecondFactorRemoval"]) =>
      api.POST("/api/auth/second-factor/remove", { body }),
    onSuccess: () => invalidate(queries),
  });
}

/** A change of the second factor ended other sessions. */
function invalidate(queries: QueryClient): void {
  queries.invalidateQueries({ queryKey: secondFactorKey });
  queries.invalidateQueries({ queryKey: sessionsKey });
}

export function useAccounts() {
  return useQuery({
    queryKey: accountsKey,
    queryFn: async ({ signal }) => dataOf(await api.GET("/api/accounts", { signal })),
    ...fresh,
  });
}

export function useNewAccount() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["NewAccount"]) => api.POST("/api/accounts", { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: accountsKey }),
  });
}

/** What can be done to an account. */
export type AccountChange = { readonly role: Role } | "endSessions" | "remove";

/** Changes an account. Whoever changes their own may find themselves refused: the page asks again. */
export function useAccountChange({ id }: Account) {
  const queries = useQueryClient();
  const params = { path: { id } };
  return useMutation({
    mutationFn: (change: AccountChange) => {
      if (change === "endSessions") return api.POST("/api/accounts/{id}/sessions/end", { params });
      if (change === "remove") return api.POST("/api/accounts/{id}/remove", { params });
      return api.POST("/api/accounts/{id}/role", { params, body: change });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: accountsKey }),
  });
}

export type AuditEntry = Schemas["AuditEntry"];

/** Which of what accounts did is asked for; days of the clinic, and empty for what does not matter. */
export interface AuditFilters {
  readonly account: string;
  readonly what: string;
  readonly startDate: string;
  readonly endDate: string;
}

/** What accounts did and what was done to them, page by page, newest first. */
export function useAudit(filters: AuditFilters) {
  return useInfiniteQuery({
    queryKey: ["audit", filters],
    queryFn: async ({ pageParam: cursor, signal }) => {
      const params = { query: given({ ...filters, cursor }) };
      const answer = await api.GET("/api/audit", { params, signal });
      return { entries: dataOf(answer), next: nextCursor(answer.response.headers.get("Link")) };
    },
    initialPageParam: "",
    getNextPageParam: (page) => page.next,
    ...fresh,
  });
}
