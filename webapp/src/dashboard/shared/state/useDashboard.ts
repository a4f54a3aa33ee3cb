import { useMemo } from "react";
import { dayOf } from "../../../content/zone";
import type { Scope } from "../queries";
import { numbersFilters, useAddress } from "./address";
import { useFreshness } from "./freshness";
import { type DayRange, shownPeriod } from "./period";

/** What the dashboard shows and the ways to change it, as every part of it is given them. */
export type Dashboard = ReturnType<typeof useDashboard>;

/** What the dashboard shows lives in the address; without a period it is the last 30 days up to now. */
export function useDashboard() {
  const { view, chosen, pick, look, open } = useAddress();
  const { asked, now, listedUpTo, ask, ...freshness } = useFreshness(chosen !== undefined);

  const shown = useMemo(() => {
    const { name, days, asOf } = shownPeriod(chosen, asked);
    /** The conversations that the numbers are about. */
    const scope: Scope = { name, period: () => asOf(now.current), filters: numbersFilters(view) };
    /** The conversations that the list is about. */
    const listed: Scope = { name, period: () => asOf(listedUpTo.current), filters: view.filters };
    return { days, scope, listed };
  }, [chosen, asked, view, now, listedUpTo]);

  return {
    ...freshness,
    ...shown,
    view,
    chosen,
    today: dayOf(asked),
    look,
    open,
    pick(days: DayRange | undefined) {
      ask();
      pick(days);
    },
  };
}
