import { dashboardApi, dataOf, type Schemas } from "../../api/client";
import { useLasting } from "./lasting";
import { type Cohort, parametersOf } from "./queries";

/** The calls that answer one card of the analytics tab each. */
type Report = "funnel" | "heatmap" | "topics" | "quality" | "ratings";

type ReportOf<Name extends Report> = Schemas[Capitalize<Name>];

/** One card's numbers. */
export function useReport<Name extends Report>(name: Name, cohort: Cohort) {
  return useLasting(name, cohort, async (signal) => {
    const params = { query: parametersOf(cohort) };
    const call = `/api/dashboard/${name as Report}` as const;
    return dataOf(await dashboardApi.GET(call, { params, signal })) as ReportOf<Name>;
  });
}
