import { type Query, useQueryClient } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import { useSearchParams } from "wouter";
import { compareDays, type Day, dayOf } from "../../../content/zone";
import { pageOfList } from "../conversations";
import { dashboardKey, type Scope } from "../queries";
import { addressOfView, type Filters, type View, viewFromAddress } from "./address";
import {
  addressOfDays,
  type DayRange,
  daysFromAddress,
  daysOf,
  type Period,
  periodOf,
  recentPeriod,
} from "./period";

export interface Dashboard {
  readonly period: Period;
  /** The days that the period touches. */
  readonly days: DayRange;
  /** The days that the address names; undefined for the default period. */
  readonly chosen: DayRange | undefined;
  readonly today: Day;
  readonly view: View;
  /** The conversations that the numbers are about. */
  readonly scope: Scope;
  /** The conversations that the list is about. */
  readonly listed: Scope;
  /** Another period; undefined is the default one. */
  pick(days: DayRange | undefined): void;
  /** Looks at something else: a step that the back button takes back, unless it replaces. */
  look(change: Partial<View>, how?: "step" | "replace"): void;
  /** Lists the conversations behind a number. */
  open(behind: Filters, days?: DayRange): void;
  /** Asks for everything anew, as the reader wished. */
  refresh(): void;
  /** Asks for everything anew without being seen: what is shown stays until the answers are there. */
  renew(): void;
  /** Whether the list has fallen behind, so as not to move under the reader's eyes. */
  readonly listBehind: boolean;
  /** Lists anew from the top. */
  relist(): void;
}

function isList({ queryKey }: Query): boolean {
  return pageOfList(queryKey) !== undefined;
}

/** Whether the reader is beyond the list's first page, where new rows would push what is read. */
function isDeepInList({ queryKey }: Query): boolean {
  return (pageOfList(queryKey) ?? 0) > 0;
}

const noFilters: Filters = {};

/** What the dashboard shows lives in the address; without a period it is the last 30 days up to now. */
export function useDashboard(): Dashboard {
  const [search, setSearch] = useSearchParams();
  const [asked, setAsked] = useState(() => new Date());
  /** Up to when the default period goes. It moves on while the period is watched. */
  const now = useRef(asked);
  /** The same for the list, whose pages must be of one moment. */
  const listedUpTo = useRef(asked);
  const [listBehind, setListBehind] = useState(false);
  const queries = useQueryClient();
  const address = search.toString();

  const seen = useMemo(() => {
    const parameters = new URLSearchParams(address);
    const chosen = daysFromAddress(parameters);
    const period = chosen ? periodOf(chosen) : recentPeriod(asked);
    const view = viewFromAddress(parameters);
    const name = chosen ? Object.values(addressOfDays(chosen)).join() : asked.toISOString();
    const span = { name, period: () => (chosen ? period : recentPeriod(now.current)) };
    const listed: Scope = {
      ...span,
      period: () => (chosen ? period : recentPeriod(listedUpTo.current)),
      filters: view.filters,
    };
    const scope: Scope = { ...span, filters: view.everywhere ? view.filters : noFilters };
    return { chosen, period, days: chosen ?? daysOf(period), view, scope, listed };
  }, [address, asked]);

  const ask = () => {
    now.current = new Date();
    listedUpTo.current = now.current;
    setListBehind(false);
    setAsked(now.current);
  };
  const withDays = (parameters: URLSearchParams, days: DayRange | undefined) => {
    const others = new URLSearchParams(parameters);
    for (const name of ["desde", "hasta", "intervalo"]) others.delete(name);
    return new URLSearchParams({ ...addressOfDays(days), ...Object.fromEntries(others) });
  };

  return {
    ...seen,
    today: dayOf(asked),
    pick(days) {
      ask();
      setSearch((before) => withDays(before, days));
    },
    look(change, how = "step") {
      setSearch((before) => addressOfView(before, { ...viewFromAddress(before), ...change }), {
        replace: how === "replace",
      });
    },
    open(behind, days) {
      setSearch((before) => {
        const view = viewFromAddress(before);
        const filters = { ...(view.everywhere ? view.filters : noFilters), ...behind };
        const after = addressOfView(before, { ...view, tab: "conversations", filters });
        return days ? withDays(after, days) : after;
      });
    },
    refresh() {
      if (seen.chosen) queries.invalidateQueries({ queryKey: [dashboardKey] });
      else ask();
    },
    renew() {
      const moment = new Date();
      if (compareDays(dayOf(moment), dayOf(asked)) !== 0) ask();
      else {
        now.current = moment;
        const deep = queries.getQueryCache().findAll({ type: "active" }).some(isDeepInList);
        setListBehind(deep);
        if (!deep) listedUpTo.current = moment;
        queries.invalidateQueries({
          queryKey: [dashboardKey],
          predicate: (query) =>
            query.state.status === "error" || (!query.meta?.recorded && !(deep && isList(query))),
        });
      }
    },
    listBehind,
    relist() {
      setListBehind(false);
      listedUpTo.current = now.current;
      queries.resetQueries({ queryKey: [dashboardKey, "conversations"] });
    },
  };
}
