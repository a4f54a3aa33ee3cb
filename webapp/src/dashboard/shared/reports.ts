import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { dashboardApi, dataOf, type Schemas } from "../../api/client";
import { type Cohort, keyOf, parametersOf } from "./queries";

/** The calls that answer one card of the analytics tab each. */
type Report = "funnel" | "heatmap" | "topics" | "quality" | "ratings";

type ReportOf<Name extends Report> = Schemas[Capitalize<Name>];

const reports: {
  [Name in Report]: (
    query: ReturnType<typeof parametersOf>,
    signal: AbortSignal,
  ) => Promise<{ data?: ReportOf<Name> }>;
} = {
  funnel: (query, signal) =>
    dashboardApi.GET("/api/dashboard/funnel", { params: { query }, signal }),
  heatmap: (query, signal) =>
    dashboardApi.GET("/api/dashboard/heatmap", { params: { query }, signal }),
  topics: (query, signal) =>
    dashboardApi.GET("/api/dashboard/topics", { params: { query }, signal }),
  quality: (query, signal) =>
    dashboardApi.GET("/api/dashboard/quality", { params: { query }, signal }),
  ratings: (query, signal) =>
    dashboardApi.GET("/api/dashboard/ratings", { params: { query }, signal }),
};

/** One card's numbers; those before stay on screen until they are there. */
export function useReport<Name extends Report>(name: Name, cohort: Cohort) {
  return useQuery({
    queryKey: keyOf(name, cohort),
    queryFn: async ({ signal }): Promise<ReportOf<Name>> =>
      dataOf(await reports[name](parametersOf(cohort), signal)),
    placeholderData: keepPreviousData,
  });
}
