import { type KeyboardEvent, useId } from "react";
import type { Schemas } from "../../api/client";
import { referenceOf } from "../../api/problem";
import { dashboardTexts } from "../../content/dashboard";
import { formatMoment, formatTime } from "../../content/dates";
import { interfaceTexts } from "../../content/interface";
import { Badge } from "../../ui/Badge";
import { classes } from "../../ui/classes";
import { Dialog } from "../../ui/Dialog";
import { FailureStrip } from "../../ui/FailureStrip";
import {
  CalendarIcon,
  ChevronLeftIcon,
  ChevronRightIcon,
  CloseIcon,
  PersonIcon,
  ThumbDownIcon,
  ThumbUpIcon,
} from "../../ui/icons";
import { RichText } from "../../ui/RichText";
import { Skeleton } from "../../ui/Skeleton";
import type { ConversationSummary } from "../shared/conversations";
import { FlagBadges } from "../shared/FlagBadges";
import { type ConversationMessage, useMessages } from "./queries";

const texts = dashboardTexts.transcript;

/** Where a conversation stands in the list, and the way to its neighbours. */
export interface Place {
  /** Counts from 1. */
  readonly number: number;
  readonly total: number;
  /** Missing at the ends of the list. */
  readonly onPrevious: (() => void) | undefined;
  readonly onNext: (() => void) | undefined;
}

interface TranscriptDialogProps {
  /** The conversation to show; undefined shows none. */
  readonly id: string | undefined;
  /** What the list says about it, where it is listed. */
  readonly summary: ConversationSummary | undefined;
  readonly place: Place | undefined;
  readonly onClose: () => void;
}

/** Everything that was said in one conversation. */
export function TranscriptDialog({ id, summary, place, onClose }: TranscriptDialogProps) {
  const title = useId();
  const description = useId();
  const { data } = useMessages(id);
  const startedAt = summary?.startedAt ?? data?.[0]?.timestamp;

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowLeft") place?.onPrevious?.();
    else if (event.key === "ArrowRight") place?.onNext?.();
    else return;
    event.preventDefault();
  };

  return (
    <Dialog
      className="max-w-2xl"
      describedBy={description}
      labelledBy={title}
      onClose={onClose}
      open={id !== undefined}
    >
      {id !== undefined && (
        // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys of the whole dialog
        <div onKeyDown={onKeyDown}>
          <header className="relative border-sand-200 border-b px-5 py-4 pr-14 sm:px-6">
            <h2 className="break-all font-semibold text-ink-900 text-lg" id={title}>
              {texts.title(id)}
            </h2>
            <p className="mt-0.5 text-ink-500 text-sm" id={description}>
              {texts.description}
              {startedAt && ` · ${formatMoment(new Date(startedAt))}`}
            </p>
            <button
              aria-label={interfaceTexts.close}
              className="absolute top-3.5 right-3.5 grid size-9 place-items-center rounded-lg text-ink-600 hover:bg-sand-100"
              onClick={onClose}
              type="button"
            >
              <CloseIcon />
            </button>
          </header>
          <History id={id} key={id} />
          <footer className="flex flex-wrap items-center gap-2 border-sand-200 border-t px-5 py-3 empty:hidden sm:px-6">
            <FlagBadges of={summary?.flags} />
            {summary?.leadGenerated && (
              <Badge tone="lead">
                <PersonIcon className="size-3.5" />
                {texts.lead}
              </Badge>
            )}
            {summary?.leadGenerated && summary.appointmentScheduled && (
              <Badge tone="appointment">
                <CalendarIcon className="size-3.5" />
                {texts.appointment}
              </Badge>
            )}
            {place && <Neighbours place={place} />}
          </footer>
        </div>
      )}
    </Dialog>
  );
}

function Neighbours({ place }: { readonly place: Place }) {
  const { number, total, onPrevious, onNext } = place;
  const steps = [
    [texts.previous, ChevronLeftIcon, onPrevious],
    [texts.next, ChevronRightIcon, onNext],
  ] as const;
  return (
    <div className="no-print ml-auto flex items-center gap-1 text-ink-500 text-sm">
      <p aria-live="polite" className="mr-1 tabular-nums">
        {texts.position(number, total)}
      </p>
      {steps.map(([label, Icon, onStep]) => (
        <button
          aria-disabled={!onStep}
          aria-label={label}
          className="grid size-9 place-items-center rounded-lg text-ink-700 hover:bg-sand-100 aria-disabled:opacity-30"
          key={label}
          onClick={onStep}
          title={label}
          type="button"
        >
          <Icon />
        </button>
      ))}
    </div>
  );
}

function History({ id }: { readonly id: string }) {
  const { data, isPending, isError, error, refetch } = useMessages(id);
  return (
    <section
      aria-busy={isPending}
      aria-label={texts.history}
      className="h-[500px] overflow-y-auto overscroll-contain bg-sand-50 px-4 py-5 sm:px-6"
      data-testid="history"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
      tabIndex={0}
    >
      {isPending && <MessagePlaceholders />}
      {isError && (
        <FailureStrip
          message={dashboardTexts.messagesFailure}
          onRetry={() => refetch()}
          reference={referenceOf(error)}
        />
      )}
      {data?.length === 0 && <p className="py-16 text-center text-ink-500">{texts.empty}</p>}
      {data && data.length > 0 && (
        <ol className="flex flex-col gap-4">
          {data.map((message) => (
            <Message key={message.id} message={message} />
          ))}
        </ol>
      )}
    </section>
  );
}

function Message({ message }: { readonly message: ConversationMessage }) {
  const { isUser, aiModel, timestamp, rating } = message;
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
        <RichText text={message.message} />
      </p>
      {rating && <RatingMark rating={rating} />}
    </li>
  );
}

/** What the visitor thought of a reply. */
function RatingMark({ rating }: { readonly rating: Schemas["Rating"] }) {
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
    </p>
  );
}

const placeholders = ["w-3/5", "ml-auto w-2/5", "w-1/2"] as const;

function MessagePlaceholders() {
  return (
    <div className="flex flex-col gap-5" data-testid="message-placeholders" role="status">
      <span className="sr-only">{dashboardTexts.loadingMessages}</span>
      {placeholders.map((place) => (
        <Skeleton className={classes("h-16 rounded-2xl", place)} key={place} />
      ))}
    </div>
  );
}
