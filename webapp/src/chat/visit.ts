import { useEffect, useState } from "react";
import { useStore } from "zustand";
import type { Schemas } from "../api/client";
import { listen } from "../api/erasure";
import { newId } from "../api/identity";
import { send } from "../api/send";
import { askAssistant, rateReply, readBack } from "./assistant";
import { count, whenVisible } from "./counting";
import { failureText } from "./failure";
import type { ChatControls, ChatState } from "./state";
import { browserStorage } from "./storage";
import { createChat } from "./store";
import { browserTabs } from "./tabs";

/** Where a panel that the visitor opened covers the window, as in ui/styles.css. */
export const compact = "(width < 40rem) or (height < 31.25rem)";

const statusInterval = 5 * 60 * 1000;

/** The chat of this visit. */
const visit = createChat({
  ask: askAssistant,
  explain: (error) =>
    failureText(error, {
      now: new Date(),
      online: navigator.onLine,
      contactUrl: new URL("/contact", window.location.href).href,
    }),
  rate: rateReply,
  readBack,
  count,
  storage: browserStorage,
  tabs: browserTabs(),
  newId,
  now: () => new Date(),
});

/** What can be done with it; these never change. */
export const controls: ChatControls = visit.getState();

/** Gives way to the page of a link in the panel, which lies over most of a small window. */
export function giveWay(): void {
  if (matchMedia(compact).matches) controls.toggle();
}

export function useChat<T>(select: (chat: ChatState) => T): T {
  return useStore(visit, select);
}

/** Whether the chat may be shown: undefined until the server was asked, and yes if it could not say. */
export function useChatAllowed(): boolean | undefined {
  const [limitReached, setLimitReached] = useState<boolean>();
  useEffect(() => {
    const look = async () => {
      try {
        const status: Schemas["ChatStatus"] = await (await send("/api/chatbot/status")).json();
        setLimitReached(status.limitReached);
      } catch {
        setLimitReached((known) => known ?? false);
      }
    };
    look();
    const polling = setInterval(look, statusInterval);
    return () => clearInterval(polling);
  }, []);
  return limitReached === undefined ? undefined : !limitReached;
}

/** Takes the conversation up again after a reload, and when the connection is back. */
export function useRecovery(): void {
  useEffect(() => {
    const recover = () => {
      const { unanswered } = visit.getState();
      return unanswered ? controls.retry() : controls.restore();
    };
    recover();
    // What other tabs of the browser erase.
    listen(controls.forget);
    window.addEventListener("online", recover);
    return () => window.removeEventListener("online", recover);
  }, []);
}

/** Counts the visit once its page is seen. */
export function useCounting(): void {
  useEffect(() => whenVisible(controls.countVisit), []);
  useEffect(() => {
    document.addEventListener("visibilitychange", controls.seen);
    return () => document.removeEventListener("visibilitychange", controls.seen);
  }, []);
}
