import { chatTexts } from "../content/chat";
import { formatMoment, formatTime } from "../content/dates";
import { dayOf, formatIsoDay } from "../content/zone";
import { classes } from "../ui/classes";
import { RichText } from "../ui/RichText";
import { Rating, RatingReasons } from "./Rating";
import type { ChatMessage } from "./state";

const bubble =
  "max-w-[86%] whitespace-pre-wrap rounded-2xl px-3.5 py-2.5 text-[0.9375rem] leading-[1.45] [overflow-wrap:anywhere]";
const botBubble = "self-start rounded-bl-md border border-sand-200 bg-white text-ink-900";

/** A message; an answer that is stored can be rated. */
export function Bubble({ message }: { readonly message: ChatMessage }) {
  const { text, isUser, replyTo, begins } = message;
  if (begins) {
    return (
      <p className="mt-3 border-sand-300 border-t pt-3 text-center text-ink-600 text-sm">{text}</p>
    );
  }
  const said = (
    <div
      className={classes(
        bubble,
        isUser ? "self-end rounded-br-md bg-teal-700 text-white" : botBubble,
      )}
      data-from={isUser ? "user" : "bot"}
    >
      <span className="sr-only">{isUser ? chatTexts.visitor : chatTexts.assistant} </span>
      {isUser ? text : <RichText text={text} />}
    </div>
  );
  return (
    <div className="contents">
      {said}
      <div className={classes("flex items-center gap-2", isUser ? "-mt-1.5 self-end" : "-mt-2")}>
        {replyTo && <Rating message={message} />}
        {!message.local && <Moment instant={message.timestamp} />}
      </div>
      {message.rating === "negative" && <RatingReasons message={message} />}
    </div>
  );
}

/** When a message was sent, by the clinic's clock; of an earlier day, with that. */
function Moment({ instant }: { readonly instant: Date }) {
  const today = formatIsoDay(dayOf(instant)) === formatIsoDay(dayOf(new Date()));
  return (
    <time className="px-1 text-ink-500 text-xs tabular-nums" dateTime={instant.toISOString()}>
      {today ? formatTime(instant) : formatMoment(instant)}
    </time>
  );
}

/** What has arrived of an answer; only the finished one is read out. */
export function PartialBubble({ text }: { readonly text: string }) {
  return (
    <div aria-hidden="true" className={classes(bubble, botBubble)} data-testid="partial" inert>
      <RichText text={text} />
    </div>
  );
}

/** Three dots, until the first words of an answer arrive. */
export function TypingIndicator() {
  return (
    <div
      aria-hidden="true"
      className="flex gap-1.5 self-start rounded-2xl rounded-bl-md border border-sand-200 bg-white px-4 py-3.5"
      data-testid="typing"
    >
      <span className="size-2 animate-bounce rounded-full bg-teal-500" />
      <span className="size-2 animate-bounce rounded-full bg-teal-500 [animation-delay:150ms]" />
      <span className="size-2 animate-bounce rounded-full bg-teal-500 [animation-delay:300ms]" />
    </div>
  );
}
