import { useId } from "react";
import { dashboardTexts } from "../content/dashboard";
import { interfaceTexts } from "../content/interface";
import { formatMoment, formatTime } from "../content/spanish";
import { Badge } from "../ui/Badge";
import { classes } from "../ui/classes";
import { Dialog } from "../ui/Dialog";
import { FailureStrip } from "../ui/FailureStrip";
import { CalendarIcon, CloseIcon, PersonIcon } from "../ui/icons";
import { RichText } from "../ui/RichText";
import { Skeleton } from "../ui/Skeleton";
import { type ConversationMessage, type ConversationSummary, useMessages } from "./queries";

const texts = dashboardTexts.transcript;

interface TranscriptDialogProps {
  readonly conversation: ConversationSummary | undefined;
  readonly onClose: () => void;
}

/** Everything that was said in one conversation. */
export function TranscriptDialog({ conversation, onClose }: TranscriptDialogProps) {
  const title = useId();
  const description = useId();
  return (
    <Dialog
      className="max-w-2xl"
      describedBy={description}
      labelledBy={title}
      onClose={onClose}
      open={conversation !== undefined}
    >
      {conversation && (
        <>
          <header className="relative border-sand-200 border-b px-5 py-4 pr-14 sm:px-6">
            <h2 className="break-all font-semibold text-ink-900 text-lg" id={title}>
              {texts.title(conversation.id)}
            </h2>
            <p className="mt-0.5 text-ink-500 text-sm" id={description}>
              {texts.description} · {formatMoment(new Date(conversation.startedAt))}
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
          <History id={conversation.id} />
          {conversation.leadGenerated && (
            <footer className="flex flex-wrap gap-2 border-sand-200 border-t px-5 py-3.5 sm:px-6">
              <Badge tone="lead">
                <PersonIcon className="size-3.5" />
                {texts.lead}
              </Badge>
              {conversation.appointmentScheduled && (
                <Badge tone="appointment">
                  <CalendarIcon className="size-3.5" />
                  {texts.appointment}
                </Badge>
              )}
            </footer>
          )}
        </>
      )}
    </Dialog>
  );
}

function History({ id }: { readonly id: string }) {
  const { data, isPending, isError, refetch } = useMessages(id);
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
        <FailureStrip message={dashboardTexts.messagesFailure} onRetry={() => refetch()} />
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
  const { isUser, aiModel, timestamp } = message;
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
    </li>
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
