import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { dashboardApi, dataOf, type Schemas } from "../../api/client";
import { type Cohort, dashboardKey, parametersOf } from "../shared/queries";
import { useMay } from "../shared/rights";

/** The key of the counts of contacts. */
export const contactCountsKey = [dashboardKey, "contact-counts"];

/** How many contacts a period has by status, of one kind or of all. */
export function useContactCounts(cohort: Cohort, kind?: Schemas["ContactKind"]) {
  return useQuery({
    queryKey: [...contactCountsKey, cohort.name, kind],
    queryFn: async ({ signal }) => {
      const { startDate, endDate } = parametersOf(cohort);
      const query = { startDate, endDate, ...(kind && { kind }) };
      const call = "/api/dashboard/contacts/counts";
      return dataOf(await dashboardApi.GET(call, { params: { query }, signal }));
    },
    placeholderData: keepPreviousData,
    enabled: useMay("people"),
  });
}
