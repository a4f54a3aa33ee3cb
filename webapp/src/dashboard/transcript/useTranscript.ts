import { useRef, useState } from "react";
import { useConversations } from "../shared/conversations";
import type { Dashboard } from "../shared/state/useDashboard";
import type { ListPosition } from "./TranscriptDialog";

/** The conversation that is open, as the address has it, and its position in the list. */
export function useTranscript({ view, listCohort, setView }: Dashboard) {
  /** Whether the step before in the browser's history is the list without the conversation. */
  const steppedIn = useRef(false);
  /** Where in the list the conversation is looked for. */
  const [near, setNear] = useState(0);
  const id = view.conversation;
  // The analytics tab shows how many are listed.
  const wanted = ["conversations", "analytics"].includes(view.tab) || id !== undefined;
  const list = useConversations(listCohort, { first: near, last: near }, wanted);
  const index = list.indexOf(id);

  const move = (target: number) => {
    const conversation = list.at(target);
    if (!conversation) return undefined;
    return () => {
      setNear(target);
      setView({ conversation: conversation.id }, "replace");
    };
  };

  const position: ListPosition | undefined =
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
    position,
    /** The words by which the list found it. */
    sought: view.tab === "conversations" ? view.filters.q : undefined,
    open(conversation: string, index = 0) {
      steppedIn.current = true;
      setNear(index);
      setView({ conversation });
    },
    close() {
      const back = steppedIn.current;
      steppedIn.current = false;
      if (id === undefined) return;
      setNear(0);
      if (back) window.history.back();
      else setView({ conversation: undefined }, "replace");
    },
  };
}
