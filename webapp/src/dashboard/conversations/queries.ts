import { useQuery } from "@tanstack/react-query";
import { dashboardApi, dataOf } from "../../api/client";
import { dayLength } from "../../content/zone";
import { dashboardKey } from "../shared/queries";

/** About as long a period as the server answers about, in milliseconds. */
const longestPeriod = 399 * dayLength;

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
