import { useQuery } from "@tanstack/react-query";
import { dashboardApi, dataOf } from "../../api/client";
import { dashboardKey } from "./queries";
import { useMay } from "./rights";

/** The first keys of everything about answers that were taught. */
export const answersKey = [dashboardKey, "answers"] as const;

/** All answers that the staff taught, what changed last first; nothing for who may not see them. */
export function useTaughtAnswers() {
  return useQuery({
    queryKey: [...answersKey, "list"],
    queryFn: async ({ signal }) =>
      dataOf(await dashboardApi.GET("/api/dashboard/answers", { signal })),
    enabled: useMay("people"),
  });
}
