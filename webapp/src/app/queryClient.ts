import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { isForbidden, isUnauthorized } from "../api/errors";
import { changeUser } from "../auth/session";
import { sessionKey } from "../auth/sessionKey";
import { noteSessionEnd } from "../auth/signOut";

/**
 * The cache of everything fetched. Nothing is retried, polled or fetched again
 * by itself. An answer that says "not signed in", whatever was asked, ends the
 * session on this side too, in every tab, and the routes lead to the login.
 */
export function createQueryClient(): QueryClient {
  const endSession = (error: unknown) => {
    if (isUnauthorized(error) && client.getQueryData(sessionKey)) {
      changeUser(client, null);
      noteSessionEnd();
    }
    // The account has another role than when this page asked who it is.
    if (isForbidden(error)) client.invalidateQueries({ queryKey: sessionKey });
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: endSession }),
    mutationCache: new MutationCache({ onError: endSession }),
    defaultOptions: {
      queries: {
        retry: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        staleTime: Number.POSITIVE_INFINITY,
        // Without a connection a request fails at once instead of waiting in silence.
        networkMode: "always",
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
  return client;
}
