import { useQueryClient } from "@tanstack/react-query";
import { useLive } from "./frame/live";
import { renewQueries } from "./shared/state/freshness";
import { useWaiting } from "./waiting/queries";

/** The people who wait, and all around them, asked for anew once there is something new to see. */
export function useLiveQueue() {
  const queries = useQueryClient();
  const waiting = useWaiting();
  useLive(waiting.data?.pages[0]?.position, () => renewQueries(queries, false));
  return waiting;
}
