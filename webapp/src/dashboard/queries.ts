import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { dashboardApi, dataOf, type Schemas } from "../api/client";
import { nextCursor } from "../api/paging";
import type { Period } from "./period";

export type Kpis = Schemas["Kpis"];
export type ConversationSummary = Schemas["ConversationSummary"];
export type ConversationMessage = Schemas["ConversationMessage"];

/** Every query of the dashboard stands under this key. */
export const dashboardKey = "dashboard";

const pageSize = 50;

function range({ start, end }: Period) {
  return { startDate: start.toISOString(), endDate: end.toISOString() };
}

/** The numbers of a period. The period before stays on screen until they are there. */
export function useKpis(period: Period) {
  const query = range(period);
  return useQuery({
    queryKey: [dashboardKey, "kpis", query],
    queryFn: async ({ signal }) =>
      dataOf(await dashboardApi.GET("/api/dashboard/kpis", { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** The conversations of a period page by page, newest first, with the period's total. */
export function useConversations(period: Period) {
  const query = range(period);
  return useInfiniteQuery({
    queryKey: [dashboardKey, "conversations", query],
    queryFn: async ({ pageParam: cursor, signal }) => {
      const answer = await dashboardApi.GET("/api/dashboard/conversations", {
        params: { query: { ...query, limit: pageSize, ...(cursor && { cursor }) } },
        signal,
      });
      const conversations = dataOf(answer);
      const { headers } = answer.response;
      return {
        conversations,
        total: Number(headers.get("X-Total-Count") ?? conversations.length),
        next: nextCursor(headers.get("Link")),
      };
    },
    initialPageParam: "",
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  });
}

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
  });
}
