import { QueryCache, QueryClient } from "@tanstack/react-query";
import { isUnauthorized } from "../api/errors";
import { sessionKey } from "../auth/sessionKey";

/**
 * The cache of everything fetched. Nothing is retried, polled or fetched again
 * by itself. An answer that says "not signed in" ends the session on this side
 * too, and the routes lead to the login.
 */
export function createQueryClient(): QueryClient {
  const endSession = (error: unknown) => {
    if (isUnauthorized(error) && client.getQueryData(sessionKey)) {
      client.setQueryData(sessionKey, null);
    }
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: endSession }),
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
