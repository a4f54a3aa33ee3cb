import { dashboardApi, dataOf, type Schemas } from "../../api/client";
import { useLasting } from "../shared/lasting";
import { type Cohort, parametersOf } from "../shared/queries";

type Reports = Schemas["Reports"];

/** The numbers of one card, out of the answer that the cards of the tab share. */
export function useReport<Name extends keyof Reports>(name: Name, cohort: Cohort) {
  const { data, ...query } = useLasting("reports", cohort, async (signal) => {
    const params = { query: parametersOf(cohort) };
    const reports = dataOf(await dashboardApi.GET("/api/dashboard/reports", { params, signal }));
    return { ...reports, dataThrough: reports.funnel.dataThrough };
  });
  return { ...query, data: data?.[name] as Reports[Name] | undefined };
}
