import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { dashboardApi, dataOf, type Schemas } from "../../api/client";
import { type Cohort, comparing, keyOf, parametersOf } from "../shared/queries";
import type { Comparison, Interval } from "../shared/state/address";

export type Timeseries = Schemas["Timeseries"];
export type TimeseriesPoint = Schemas["TimeseriesPoint"];

/** The numbers over time; without an interval the server chooses one. */
export function useTimeseries(cohort: Cohort, interval: Interval | undefined, compare: Comparison) {
  return useQuery({
    queryKey: keyOf("timeseries", cohort, interval, compare),
    queryFn: async ({ signal }) => {
      const query = {
        ...parametersOf(cohort),
        ...(interval && { interval }),
        ...comparing(compare),
      };
      const call = "/api/dashboard/timeseries";
      return dataOf(await dashboardApi.GET(call, { params: { query }, signal }));
    },
    placeholderData: keepPreviousData,
  });
}
