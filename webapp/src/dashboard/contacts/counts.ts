import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { dashboardApi, dataOf, type Schemas } from "../../api/client";
import { dashboardKey, parametersOf, type Scope } from "../shared/queries";

/** The counts of contacts stand under this key. */
export const contactCountsKey = [dashboardKey, "contact-counts"];

/** How many contacts a period has by status, of one kind or of all. */
export function useContactCounts(scope: Scope, kind?: Schemas["ContactKind"]) {
  return useQuery({
    queryKey: [...contactCountsKey, scope.name, kind],
    queryFn: async ({ signal }) => {
      const { startDate, endDate } = parametersOf(scope);
      const query = { startDate, endDate, ...(kind && { kind }) };
      const call = "/api/dashboard/contacts/counts";
      return dataOf(await dashboardApi.GET(call, { params: { query }, signal }));
    },
    placeholderData: keepPreviousData,
  });
}
