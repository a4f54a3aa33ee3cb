import { dashboardApi, dataOf, type Schemas } from "../../api/client";
import { useLasting } from "../shared/lasting";
import { type Cohort, comparing, parametersOf } from "../shared/queries";
import type { Comparison, Interval } from "../shared/state/address";

export type Timeseries = Schemas["Timeseries"];
export type TimeseriesPoint = Schemas["TimeseriesPoint"];

/** The numbers over time; without an interval the server chooses one. */
export function useTimeseries(cohort: Cohort, interval: Interval | undefined, compare: Comparison) {
  const ask = async (signal: AbortSignal) => {
    const query = {
      ...parametersOf(cohort),
      ...(interval && { interval }),
      ...comparing(compare),
    };
    const call = "/api/dashboard/timeseries";
    return dataOf(await dashboardApi.GET(call, { params: { query }, signal }));
  };
  return useLasting("timeseries", cohort, ask, interval, compare);
}
