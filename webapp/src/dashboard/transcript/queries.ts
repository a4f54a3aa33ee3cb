import { queryOptions, useQuery } from "@tanstack/react-query";
import { dashboardApi, dataOf, type Schemas } from "../../api/client";
import { audited, dashboardKey } from "../shared/queries";

export type ConversationMessage = Schemas["ConversationMessage"];

/** Asks for the transcript of a conversation; for none while none is selected. */
export function messagesOf(id: string | undefined) {
  return queryOptions({
    queryKey: [dashboardKey, "messages", id],
    queryFn: async ({ signal }) =>
      dataOf(
        await dashboardApi.GET("/api/dashboard/conversation/{id}/messages", {
          params: { path: { id: id ?? "" } },
          signal,
        }),
      ),
    enabled: id !== undefined,
    meta: audited,
  });
}

/** The transcript of a conversation. */
export function useMessages(id: string | undefined) {
  return useQuery(messagesOf(id));
}
