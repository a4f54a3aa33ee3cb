import { useMemo } from "react";
import { dayOf } from "../../../content/zone";
import type { Cohort } from "../queries";
import { numbersFilters, useAddress } from "./address";
import { useFreshness } from "./freshness";
import { type DayRange, shownPeriod } from "./period";

/** What the dashboard shows and the ways to change it, as every part of it is given them. */
export type Dashboard = ReturnType<typeof useDashboard>;

/** What the dashboard shows lives in the address; without a period it is the last 30 days up to now. */
export function useDashboard() {
  const { view, chosen, pick, setView, drillDown } = useAddress();
  const { loadedAt, now, listedUpTo, restart, ...freshness } = useFreshness(chosen !== undefined);

  const shown = useMemo(() => {
    const { name, days, asOf } = shownPeriod(chosen, loadedAt);
    /** The conversations that the numbers are about. */
    const cohort: Cohort = {
      name,
      days,
      period: () => asOf(now.current),
      filters: numbersFilters(view),
    };
    /** The conversations that the list is about. */
    const listCohort: Cohort = {
      name,
      days,
      period: () => asOf(listedUpTo.current),
      filters: view.filters,
    };
    return { days, cohort, listCohort };
  }, [chosen, loadedAt, view, now, listedUpTo]);

  return {
    ...freshness,
    ...shown,
    view,
    chosen,
    today: dayOf(loadedAt),
    setView,
    drillDown,
    pick(days: DayRange | undefined) {
      restart();
      pick(days);
    },
  };
}
