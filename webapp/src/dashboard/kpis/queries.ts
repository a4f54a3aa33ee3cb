import { dashboardApi, dataOf } from "../../api/client";
import { useLasting } from "../shared/lasting";
import { type Cohort, comparing, parametersOf } from "../shared/queries";
import type { Comparison } from "../shared/state/address";

/** The numbers of a period. */
export function useKpis(cohort: Cohort, compare: Comparison) {
  const ask = async (signal: AbortSignal) => {
    const query = { ...parametersOf(cohort), ...comparing(compare) };
    return dataOf(await dashboardApi.GET("/api/dashboard/kpis", { params: { query }, signal }));
  };
  return useLasting("kpis", cohort, ask, compare);
}
