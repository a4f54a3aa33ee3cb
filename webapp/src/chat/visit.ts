import { useQuery } from "@tanstack/react-query";
import { useStore } from "zustand";
import { chatApi, dataOf } from "../api/client";
import { newId } from "../api/identity";
import { createChat } from "./store";

const statusInterval = 5 * 60 * 1000;

/** The chat of this visit: it lives as long as the page is not loaded anew. */
const visit = createChat({
  ask: async (body) => dataOf(await chatApi.POST("/api/chatbot", { body })).response,
  newId,
  now: () => new Date(),
});

type Chat = ReturnType<typeof visit.getState>;

export function useChat<T>(select: (chat: Chat) => T): T {
  return useStore(visit, select);
}

/** Whether the chat may be shown: unknown until the server was asked, and yes if it could not say. */
export function useChatAllowed(): boolean {
  const { data, isPending } = useQuery({
    queryKey: ["chat", "status"],
    queryFn: async ({ signal }) => dataOf(await chatApi.GET("/api/chatbot/status", { signal })),
    refetchInterval: statusInterval,
  });
  return !isPending && !data?.limitReached;
}
