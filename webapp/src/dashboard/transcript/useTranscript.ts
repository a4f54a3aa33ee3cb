import { useRef, useState } from "react";
import { useConversations } from "../shared/conversations";
import type { Dashboard } from "../shared/state/useDashboard";
import type { ListPosition } from "./Neighbours";

/** The conversation that is open, as the address has it, and its position in the list it came from. */
export function useTranscript({ view, listCohort, setView }: Dashboard) {
  /** Whether the step before in the browser's history is the list without the conversation. */
  const steppedIn = useRef(false);
  /** Where in the list the conversation is looked for. */
  const [near, setNear] = useState(0);
  /** The conversations of the contacts or questions from which it was opened. */
  const [others, setOthers] = useState<readonly string[]>([]);
  const id = view.conversation;
  // The analytics tab shows how many are listed.
  const listed = ["conversations", "analytics"].includes(view.tab);
  const list = useConversations(
    listCohort,
    { first: near, last: near },
    listed || id !== undefined,
  );
  const index = list.indexOf(id);

  const [place, total] = listed
    ? [index, list.total]
    : [id === undefined ? -1 : others.indexOf(id), others.length];
  const move = (target: number) => {
    const conversation = listed ? list.at(target)?.id : others[target];
    if (conversation === undefined) return undefined;
    return () => {
      if (listed) setNear(target);
      setView({ conversation }, "replace");
    };
  };

  const position: ListPosition | undefined =
    id === undefined || place < 0 || total < 2
      ? undefined
      : { number: place + 1, total, onPrevious: move(place - 1), onNext: move(place + 1) };

  const open = (conversation: string) => {
    steppedIn.current = true;
    setView({ conversation });
  };

  return {
    list,
    summary: list.at(index),
    position,
    /** The words by which the list found it. */
    sought: view.tab === "conversations" ? view.filters.q : undefined,
    open(conversation: string, index: number) {
      setNear(index);
      open(conversation);
    },
    /** Opens one of the conversations that contacts or questions lead to. */
    openAmong(conversation: string, conversations: readonly string[]) {
      setOthers([...new Set(conversations)]);
      open(conversation);
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
