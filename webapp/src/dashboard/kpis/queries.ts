import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { dashboardApi, dataOf } from "../../api/client";
import { type Cohort, comparing, keyOf, parametersOf } from "../shared/queries";
import type { Comparison } from "../shared/state/address";

/** The numbers of a period. The period before stays on screen until they are there. */
export function useKpis(cohort: Cohort, compare: Comparison) {
  return useQuery({
    queryKey: keyOf("kpis", cohort, compare),
    queryFn: async ({ signal }) => {
      const query = { ...parametersOf(cohort), ...comparing(compare) };
      return dataOf(await dashboardApi.GET("/api/dashboard/kpis", { params: { query }, signal }));
    },
    placeholderData: keepPreviousData,
  });
}
