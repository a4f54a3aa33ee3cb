/** Up to when what is shown holds, and how it is asked for anew. */
import { type Query, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { compareDays, dayOf } from "../../../content/zone";
import { pageOfList } from "../conversations";
import { dashboardKey } from "../queries";

/** Whether the reader is beyond the list's first page, where new rows would push what is read. */
export function isDeepInList(queries: QueryClient): boolean {
  const shown = queries.getQueryCache().findAll({ type: "active" });
  return shown.some(({ queryKey }) => (pageOfList(queryKey) ?? 0) > 0);
}

/** The calls whose answers a new event hardly changes: they are asked once they are looked at anew. */
const seldomChanged: readonly unknown[] = ["topics", "answers"];

/**
 * Asks for everything anew, also for the list unless it is to stay. An audited
 * query is not, unless it failed.
 */
export function renewQueries(queries: QueryClient, listStays: boolean): void {
  const isRenewed = ({ queryKey, meta, state }: Query) =>
    state.status === "error" ||
    (!meta?.audited && !(listStays && pageOfList(queryKey) !== undefined));
  const isSeldom = ({ queryKey, state }: Query) =>
    state.status !== "error" && seldomChanged.includes(queryKey[1]);
  const queryKey = [dashboardKey];
  queries.invalidateQueries({
    queryKey,
    predicate: (query) => isRenewed(query) && !isSeldom(query),
  });
  queries.invalidateQueries({ queryKey, predicate: isSeldom, refetchType: "none" });
}

/** `fixed`: the period is one of chosen days, which does not go up to now. */
export function useFreshness(fixed: boolean) {
  const queries = useQueryClient();
  const [loadedAt, setLoadedAt] = useState(() => new Date());
  /** Up to when the default period goes. It moves on while the period is watched. */
  const now = useRef(loadedAt);
  /** The same for the list, whose pages must be of one moment. */
  const listedUpTo = useRef(loadedAt);
  const [listOutdated, setListOutdated] = useState(false);

  const restart = () => {
    now.current = new Date();
    listedUpTo.current = now.current;
    setListOutdated(false);
    setLoadedAt(now.current);
  };

  return {
    /** When the reader last asked, or the day began. */
    loadedAt,
    now,
    listedUpTo,
    /** Begins anew from this moment. */
    restart,
    /** Asks for everything anew, as the reader wished. */
    refresh() {
      if (fixed) queries.invalidateQueries({ queryKey: [dashboardKey] });
      else restart();
    },
    /** Asks for everything anew without being seen: what is shown stays until the answers are there. */
    renew() {
      const moment = new Date();
      if (compareDays(dayOf(moment), dayOf(loadedAt)) !== 0) {
        restart();
        return;
      }
      now.current = moment;
      const deep = isDeepInList(queries);
      setListOutdated(deep);
      if (!deep) listedUpTo.current = moment;
      renewQueries(queries, deep);
    },
    /** Whether the list is outdated, because it must not move under the reader's eyes. */
    listOutdated,
    /** Lists anew from the top. */
    reloadList() {
      setListOutdated(false);
      listedUpTo.current = now.current;
      queries.resetQueries({ queryKey: [dashboardKey, "conversations"] });
    },
  };
}
