import { useRef } from "react";
import type { useConversations } from "./queries";
import type { Place } from "./TranscriptDialog";
import type { Dashboard } from "./useDashboard";

/** The conversation that is open, as the address has it, and its place in the list. */
export function useTranscript(
  { view, look }: Dashboard,
  { data, hasNextPage, fetchNextPage }: ReturnType<typeof useConversations>,
) {
  /** Whether the step before in the browser's history is the list without the conversation. */
  const steppedIn = useRef(false);
  const id = view.conversation;
  const conversations = data?.pages.flatMap((page) => page.conversations) ?? [];
  const index = conversations.findIndex((conversation) => conversation.id === id);

  const move = (target: number) => {
    const conversation = conversations[target];
    if (!conversation) return undefined;
    return () => {
      look({ conversation: conversation.id }, "replace");
      // The reader is nearly at the end of what is listed.
      if (hasNextPage && target >= conversations.length - 2) fetchNextPage();
    };
  };

  const place: Place | undefined =
    id === undefined || index < 0
      ? undefined
      : {
          number: index + 1,
          total: data?.pages[0]?.total ?? conversations.length,
          onPrevious: move(index - 1),
          onNext: move(index + 1),
        };

  return {
    summary: conversations[index],
    place,
    open(conversation: string) {
      steppedIn.current = true;
      look({ conversation });
    },
    close() {
      const back = steppedIn.current;
      steppedIn.current = false;
      if (id === undefined) return;
      if (back) window.history.back();
      else look({ conversation: undefined }, "replace");
    },
  };
}
