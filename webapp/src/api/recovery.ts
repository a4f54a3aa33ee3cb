/** Asking anew what failed: once the server is well, the network is back, or the reader wishes it. */
import type { Query, QueryClient } from "@tanstack/react-query";
import { api } from "./client";
import { ApiError } from "./errors";

/** The pauses between looks at a server that is not well, in milliseconds. */
const firstPause = 2000;
const longestPause = 10_000;

/** Whether an error ends by itself: the server is away or busy, or there is no network. */
export function isTemporary(error: unknown): boolean {
  return !(error instanceof ApiError) || [429, 502, 503, 504].includes(error.status);
}

const hasFailed = ({ state }: Query) => state.status === "error";

/** The questions on screen that failed. */
export function failedQueries(client: QueryClient): Query[] {
  return client.getQueryCache().findAll({ type: "active", predicate: hasFailed });
}

/** Asks anew what failed. */
export function askAgain(client: QueryClient): Promise<void> {
  return client.refetchQueries({ type: "active", predicate: hasFailed });
}

/** When the server may be asked again after some failures, in milliseconds since the epoch. */
export function notBefore(failures: readonly { error: unknown; at: number }[]): number {
  const times = failures.map(({ error, at }) =>
    error instanceof ApiError ? at + (error.retryAfter ?? 0) : 0,
  );
  return Math.max(0, ...times);
}

/** Asks the server whether it is well: gives what failed where it is not. */
async function examine(): Promise<unknown> {
  try {
    const { data } = await api.GET("/readyz");
    return data?.clickhouse === "unavailable" ? new Error("the tables are away") : undefined;
  } catch (error) {
    return error;
  }
}

/**
 * Asks anew what failed once the server says that it is well, no earlier than it allows, or once
 * the network is back; returns how to stop that.
 */
export function recover(client: QueryClient): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pause = firstPause;
  let refused = 0;
  let looking = false;

  const look = async () => {
    timer = undefined;
    if (document.hidden) return;
    looking = true;
    pause = Math.min(2 * pause, longestPause);
    const at = Date.now();
    const error = await examine();
    refused = notBefore([{ error, at }]);
    if (error === undefined) await askAgain(client);
    looking = false;
    schedule();
  };
  const schedule = () => {
    if (looking) return;
    const temporary = failedQueries(client).filter(({ state }) => isTemporary(state.error));
    if (temporary.length === 0) {
      pause = firstPause;
      clearTimeout(timer);
      timer = undefined;
    } else if (timer === undefined) {
      const failures = temporary.map(({ state }) => ({
        error: state.error,
        at: state.errorUpdatedAt,
      }));
      const wait = Math.max(refused, notBefore(failures)) - Date.now();
      timer = setTimeout(look, Math.max(pause, wait));
    }
  };

  const ask = () => void askAgain(client);
  const unsubscribe = client.getQueryCache().subscribe(schedule);
  window.addEventListener("online", ask);
  document.addEventListener("visibilitychange", schedule);
  return () => {
    clearTimeout(timer);
    unsubscribe();
    window.removeEventListener("online", ask);
    document.removeEventListener("visibilitychange", schedule);
  };
}
