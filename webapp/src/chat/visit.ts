import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useStore } from "zustand";
import { chatApi, dataOf } from "../api/client";
import { newId } from "../api/identity";
import { askAssistant, rateReply, readBack } from "./assistant";
import { count, whenSeen } from "./counting";
import { tabMemory } from "./memory";
import { createChat } from "./store";

const statusInterval = 5 * 60 * 1000;

/** The chat of this visit. */
const visit = createChat({
  ask: askAssistant,
  rate: rateReply,
  readBack,
  count,
  memory: tabMemory,
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

/** Takes the conversation up again after a reload, and when the connection is back. */
export function useRecovery(): void {
  useEffect(() => {
    const recover = () => {
      const { unanswered, retry, restore } = visit.getState();
      return unanswered ? retry() : restore();
    };
    recover();
    window.addEventListener("online", recover);
    return () => window.removeEventListener("online", recover);
  }, []);
}

/** Counts the visit once its page is seen. */
export function useCounting(): void {
  useEffect(() => whenSeen(() => visit.getState().arrive()), []);
}
