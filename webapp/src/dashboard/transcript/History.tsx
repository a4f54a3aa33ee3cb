import { useEffect, useRef } from "react";
import type { Schemas } from "../../api/client";
import { dashboardTexts } from "../../content/dashboard";
import { formatTime } from "../../content/dates";
import { cutAtHits } from "../../content/folded";
import { classes } from "../../ui/classes";
import { ThumbDownIcon, ThumbUpIcon } from "../../ui/icons";
import { RichText } from "../../ui/RichText";
import { Skeleton } from "../../ui/Skeleton";
import { QueryFailure } from "../shared/QueryState";
import { type ConversationMessage, useMessages } from "./queries";

const texts = dashboardTexts.transcript;

interface HistoryProps {
  readonly id: string;
  /** The words whose occurrences are marked. */
  readonly sought?: string | undefined;
  /** The classes of its height. */
  readonly height?: string;
}

/** The messages of a conversation. */
export function History({ id, sought, height = "h-[500px]" }: HistoryProps) {
  const query = useMessages(id);
  const { data, isPending } = query;
  return (
    <section
      aria-busy={isPending}
      aria-label={texts.history}
      className={classes(
        "relative overflow-y-auto overscroll-contain bg-sand-50 px-4 py-5 sm:px-6",
        height,
      )}
      data-testid="history"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
      tabIndex={0}
    >
      {isPending && <MessagePlaceholders />}
      <QueryFailure message={dashboardTexts.messagesFailure} query={query} />
      {data?.length === 0 && <p className="py-16 text-center text-ink-500">{texts.empty}</p>}
      {data && data.length > 0 && <Messages messages={data} sought={sought} />}
    </section>
  );
}

interface MessagesProps extends Pick<HistoryProps, "sought"> {
  readonly messages: readonly ConversationMessage[];
}

/** The messages, scrolled to the first occurrence of what is sought. */
function Messages({ messages, sought }: MessagesProps) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    list.current?.querySelector("mark")?.scrollIntoView({ block: "center" });
  }, []);
  return (
    <ol className="flex flex-col gap-4" ref={list}>
      {messages.map((message) => (
        <Message key={message.id} message={message} sought={sought} />
      ))}
    </ol>
  );
}

interface MessageProps extends Pick<HistoryProps, "sought"> {
  readonly message: ConversationMessage;
}

function Message({ message, sought }: MessageProps) {
  const { isUser, aiModel, timestamp, rating, ratingReason } = message;
  return (
    <li
      className={classes(
        "flex max-w-[85%] flex-col gap-1",
        isUser ? "items-end self-end" : "items-start self-start",
      )}
      data-from={isUser ? "user" : "bot"}
    >
      <p className="px-1 text-[0.8125rem] text-ink-500">
        <span className="font-medium text-ink-700">{isUser ? texts.user : texts.bot(aiModel)}</span>
        {" · "}
        <time className="tabular-nums" dateTime={timestamp}>
          {formatTime(new Date(timestamp))}
        </time>
      </p>
      <p
        className={classes(
          "whitespace-pre-wrap rounded-2xl px-4 py-2.5 text-[0.9375rem] [overflow-wrap:anywhere]",
          isUser
            ? "rounded-tr-md bg-teal-700 text-white"
            : "rounded-tl-md border border-sand-200 bg-white text-ink-900",
        )}
        data-testid="message-text"
      >
        <RichText
          draw={sought ? (text) => <Marked text={text} words={sought} /> : undefined}
          text={message.message}
        />
      </p>
      {rating && <RatingMark rating={rating} reason={ratingReason} />}
    </li>
  );
}

interface MarkedProps {
  readonly text: string;
  readonly words: string;
}

/** A text with the occurrences of words marked. */
function Marked({ text, words }: MarkedProps) {
  return cutAtHits(text, words).map((piece, index) => {
    // The pieces of one text never move.
    const key = `${index}`;
    return index % 2 === 1 ? <mark key={key}>{piece}</mark> : <span key={key}>{piece}</span>;
  });
}

interface RatingMarkProps {
  readonly rating: Schemas["Rating"];
  readonly reason: Schemas["RatingReason"] | undefined;
}

/** What the visitor thought of a reply. */
function RatingMark({ rating, reason }: RatingMarkProps) {
  const positive = rating === "positive";
  const Icon = positive ? ThumbUpIcon : ThumbDownIcon;
  return (
    <p
      className={classes(
        "flex items-center gap-1 px-1 font-medium text-[0.8125rem]",
        positive ? "text-good-700" : "text-bad-700",
      )}
    >
      <Icon className="size-4" />
      {texts.rating[rating]}
      {reason && `: ${texts.ratingReason[reason]}`}
    </p>
  );
}

const placeholders = ["w-3/5", "ml-auto w-2/5", "w-1/2"] as const;

function MessagePlaceholders() {
  return (
    <div className="flex flex-col gap-5" data-testid="message-placeholders" role="status">
      <span className="sr-only">{dashboardTexts.loadingMessages}</span>
      {placeholders.map((width) => (
        <Skeleton className={classes("h-16 rounded-2xl", width)} key={width} />
      ))}
    </div>
  );
}
