import { useRef, useState } from "react";
import { useConversations } from "../shared/conversations";
import type { Dashboard } from "../shared/state/useDashboard";
import type { Place } from "./TranscriptDialog";

/** The conversation that is open, as the address has it, and its place in the list. */
export function useTranscript({ view, listed, look }: Dashboard) {
  /** Whether the step before in the browser's history is the list without the conversation. */
  const steppedIn = useRef(false);
  /** Where in the list the conversation is looked for. */
  const [near, setNear] = useState(0);
  const list = useConversations(listed, { first: near, last: near });
  const id = view.conversation;
  const index = list.placeOf(id);

  const move = (target: number) => {
    const conversation = list.at(target);
    if (!conversation) return undefined;
    return () => {
      setNear(target);
      look({ conversation: conversation.id }, "replace");
    };
  };

  const place: Place | undefined =
    id === undefined || index < 0
      ? undefined
      : {
          number: index + 1,
          total: list.total,
          onPrevious: move(index - 1),
          onNext: move(index + 1),
        };

  return {
    list,
    summary: list.at(index),
    place,
    open(conversation: string, place = 0) {
      steppedIn.current = true;
      setNear(place);
      look({ conversation });
    },
    close() {
      const back = steppedIn.current;
      steppedIn.current = false;
      if (id === undefined) return;
      setNear(0);
      if (back) window.history.back();
      else look({ conversation: undefined }, "replace");
    },
  };
}
