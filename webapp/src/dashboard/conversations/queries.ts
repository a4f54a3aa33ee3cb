import { useQuery } from "@tanstack/react-query";
import { dashboardApi, dataOf } from "../../api/client";
import { dayLength } from "../../content/zone";
import { useLasting } from "../shared/lasting";
import { type Cohort, dashboardKey, parametersOf } from "../shared/queries";

/** About as long a period as the server answers about, in milliseconds. */
const longestPeriod = 399 * dayLength;

/** What the conversations are about. */
export function useTopics(cohort: Cohort) {
  return useLasting("topics", cohort, async (signal) => {
    const params = { query: parametersOf(cohort) };
    return dataOf(await dashboardApi.GET("/api/dashboard/topics", { params, signal }));
  });
}

/** When the latest conversation began; null where there has been none for more than a year. */
export function useLatestConversation(enabled: boolean) {
  return useQuery({
    queryKey: [dashboardKey, "latest"],
    queryFn: async ({ signal }) => {
      const end = new Date();
      const start = new Date(end.getTime() - longestPeriod);
      const query = { startDate: start.toISOString(), endDate: end.toISOString(), limit: 1 };
      const call = "/api/dashboard/conversations";
      const [latest] = dataOf(await dashboardApi.GET(call, { params: { query }, signal }));
      return latest?.startedAt ?? null;
    },
    enabled,
  });
}
