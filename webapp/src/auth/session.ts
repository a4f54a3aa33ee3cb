import { type QueryClient, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useLocation } from "wouter";
import { api, dataOf, type Schemas } from "../api/client";
import { forgetDrafts, keepDraftsOf } from "../ui/drafts";
import { sessionKey } from "./sessionKey";
import {
  endSession,
  forgetSignOut,
  signOutSettled,
  useSignOutState,
  watchSignOut,
} from "./signOut";

type User = Schemas["User"];

/**
 * Who is signed in. Any failure of the call means nobody, and it is not repeated. Whoever
 * signed out is nobody, also while the server does not know of it.
 */
export function useCurrentUser(): {
  readonly user: User | undefined;
  readonly loading: boolean;
  /** Asks the server again. */
  readonly recheck: () => void;
} {
  const signOut = useSignOutState();
  const enabled = signOut !== "pending" && signOut !== "failed";
  const { data, isPending, refetch } = useQuery({
    queryKey: sessionKey,
    queryFn: async ({ signal }): Promise<User | null> => {
      const user = dataOf(await api.GET("/api/auth/user", { signal }));
      keepDraftsOf(user.id);
      return user;
    },
    enabled,
    retry: false,
  });
  return { user: (enabled && data) || undefined, loading: enabled && isPending, recheck: refetch };
}

/** Makes `user` the current one and forgets what was fetched for whoever was it before. */
export function changeUser(queries: QueryClient, user: User | null): void {
  queries.setQueryData<User | null>(sessionKey, user);
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
}

/** Signs in; the answered user becomes the current one. */
export function useLogin() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: Schemas["Credentials"]) => {
      await signOutSettled();
      return dataOf(await api.POST("/api/auth/login", { body }));
    },
    onSuccess: (user) => {
      keepDraftsOf(user.id);
      changeUser(queries, user);
      forgetSignOut();
    },
  });
}

/** Takes what is on screen and what was being written away, and leads to the login. */
function useLeave(): () => void {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  return () => {
    navigate("/login", { replace: true });
    changeUser(queries, null);
    forgetDrafts();
  };
}

/** Signs out here whatever the server says. */
export function useLogout(): () => void {
  const leave = useLeave();
  return () => {
    leave();
    endSession();
  };
}

/** Leaves when another tab signs out, and asks who it is when one signs in or was shut out. */
export function useOtherTabs(): void {
  const queries = useQueryClient();
  const leave = useLeave();
  useEffect(() =>
    watchSignOut((state) => {
      if (state === undefined || state === "ended")
        queries.invalidateQueries({ queryKey: sessionKey });
      else if (queries.getQueryData(sessionKey)) leave();
    }),
  );
}
