import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { dashboardApi, dataOf, type Schemas } from "../../api/client";
import { type Cohort, keyOf, parametersOf } from "./queries";

/** The calls that answer one card of the analytics tab each. */
type Report = "funnel" | "heatmap" | "topics" | "quality" | "ratings";

type ReportOf<Name extends Report> = Schemas[Capitalize<Name>];

/** One card's numbers; those before stay on screen until they are there. */
export function useReport<Name extends Report>(name: Name, cohort: Cohort) {
  return useQuery({
    queryKey: keyOf(name, cohort),
    queryFn: async ({ signal }) => {
      const params = { query: parametersOf(cohort) };
      const call = `/api/dashboard/${name as Report}` as const;
      return dataOf(await dashboardApi.GET(call, { params, signal })) as ReportOf<Name>;
    },
    placeholderData: keepPreviousData,
  });
}
