import { useMutation, useQueryClient } from "@tanstack/react-query";
import { dashboardApi, dataOf, type Schemas } from "../../api/client";
import { useLasting } from "../shared/lasting";
import { type Cohort, comparing, dashboardKey, parametersOf } from "../shared/queries";
import type { Comparison, Interval } from "../shared/state/address";

export type Timeseries = Schemas["Timeseries"];
export type TimeseriesPoint = Schemas["TimeseriesPoint"];

export type ChartNote = Schemas["ChartNote"];

const seriesCall = "timeseries";

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
  return useLasting(seriesCall, cohort, ask, interval, compare);
}

/** Stores a note of the chart; one without a text is removed. */
export function useNoteChange() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: ChartNote) =>
      dashboardApi.POST("/api/dashboard/chart-notes/{id}", { params: { path: { id } }, body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [dashboardKey, seriesCall] }),
  });
}
