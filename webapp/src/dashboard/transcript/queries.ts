import { useQuery } from "@tanstack/react-query";
import { dashboardApi, dataOf, type Schemas } from "../../api/client";
import { dashboardKey, recorded } from "../shared/queries";

export type ConversationMessage = Schemas["ConversationMessage"];

/** The transcript of a conversation; nothing is asked while none is selected. */
export function useMessages(id: string | undefined) {
  return useQuery({
    queryKey: [dashboardKey, "messages", id],
    queryFn: async ({ signal }) =>
      dataOf(
        await dashboardApi.GET("/api/dashboard/conversation/{id}/messages", {
          params: { path: { id: id ?? "" } },
          signal,
        }),
      ),
    enabled: id !== undefined,
    meta: recorded,
  });
}
