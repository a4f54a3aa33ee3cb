import { type RefObject, useEffect } from "react";
import { Link } from "wouter";
import { chatTexts } from "../content/chat";
import { fill } from "../content/fill";
import { Button } from "../ui/Button";
import { Bubble, PartialBubble, TypingIndicator } from "./bubbles";
import { controls, giveWay, useChat } from "./visit";

/** What was said, and what is on its way. */
export function Messages({ area }: { readonly area: RefObject<HTMLDivElement | null> }) {
  const messages = useChat((chat) => chat.messages);
  const pending = useChat((chat) => chat.pending);
  const partial = useChat((chat) => chat.partial);
  const reconnecting = useChat((chat) => chat.reconnecting);
  const unanswered = useChat((chat) => chat.unanswered);
  const count = messages.length;

  // biome-ignore lint/correctness/useExhaustiveDependencies: every new bubble scrolls into view
  useEffect(() => {
    // Before anything is said the notice at the top is to be read.
    if (count > 1) area.current?.scrollTo({ top: area.current.scrollHeight });
  }, [area, count, pending, partial]);

  return (
    <>
      <div
        aria-label={chatTexts.log}
        className="flex tight:min-h-18 min-h-32 flex-1 flex-col gap-2.5 overflow-y-auto overscroll-contain bg-sand-50 tight:px-3 tight:py-2 p-4"
        ref={area}
        role="log"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
        tabIndex={0}
      >
        <p className="text-center text-[0.8125rem] text-ink-500 tight:leading-4 leading-4.5">
          {fill(chatTexts.consent)}{" "}
          <Link className="underline underline-offset-2" href="/privacidad" onClick={giveWay}>
            {chatTexts.privacy}
          </Link>
        </p>
        {messages.map((message) => (
          <Bubble key={message.id} message={message} />
        ))}
        {pending && (partial ? <PartialBubble text={partial} /> : <TypingIndicator />)}
        {reconnecting && (
          <p aria-hidden="true" className="text-[0.8125rem] text-ink-500">
            {chatTexts.reconnecting}
          </p>
        )}
      </div>
      <p className="sr-only" role="status">
        {pending && (reconnecting ? chatTexts.reconnecting : chatTexts.typing)}
      </p>
      {unanswered && (
        <div className="bg-sand-50 px-4 pb-3">
          <Button variant="secondary" onClick={controls.retry} size="small">
            {chatTexts.retry}
          </Button>
        </div>
      )}
    </>
  );
}
