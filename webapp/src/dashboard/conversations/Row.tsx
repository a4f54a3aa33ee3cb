import { memo, useId } from "react";
import { dashboardTexts } from "../../content/dashboard";
import { filterTexts, topicsInWords } from "../../content/dashboardFilters";
import { formatAgo, waitingTexts } from "../../content/dashboardWaiting";
import { formatMoment } from "../../content/dates";
import { Badge } from "../../ui/Badge";
import { Button } from "../../ui/Button";
import { CalendarIcon } from "../../ui/icons";
import { Skeleton } from "../../ui/Skeleton";
import type { ConversationSummary } from "../shared/conversations";
import { FlagBadges } from "../shared/FlagBadges";
import { PersonIcon } from "../shared/icons";

const texts = dashboardTexts.list;
const placeholders = [1, 2, 3, 4, 5] as const;

interface RowProps {
  /** Undefined while it is being loaded. */
  readonly conversation: ConversationSummary | undefined;
  readonly index: number;
  readonly onOpen: (id: string, index: number) => void;
}

/** One conversation: what was asked, about what, when, and what came of it. */
export const Row = memo(function Row({ conversation, index, onOpen }: RowProps) {
  const title = useId();
  if (!conversation) return <RowPlaceholder />;
  const { id, startedAt, messageCount, leadGenerated, appointmentScheduled } = conversation;
  const { question, flags = [], reasons = [] } = conversation;
  const attended = reasons.find(
    ({ reason, attendedAt }) => attendedAt && flags.some((flag) => flag === reason),
  );
  const { unanswered = 0, failures = 0, outOfHours = false, topics = [] } = conversation;
  return (
    <div className="flex h-full flex-col justify-center gap-2 px-5 hover:bg-sand-50 md:flex-row md:items-center md:gap-3 sm:px-6">
      <div className="min-w-0 md:flex-1">
        <h3 className="truncate font-medium text-ink-900" id={title} title={question ?? id}>
          <bdi>{question ?? texts.session(id)}</bdi>
        </h3>
        <p className="text-ink-500 text-sm" title={id}>
          <span className="block truncate">
            {formatAgo(startedAt)}
            {attended && ` · ${waitingTexts.attended(attended.attendedBy?.split("@")[0])}`}
            {topics.length > 0 && ` · ${topicsInWords(topics)}`}
          </span>
          <span className="block truncate text-xs">
            <time className="tabular-nums" dateTime={startedAt}>
              {formatMoment(new Date(startedAt))}
            </time>
            {question && ` · ${texts.session(id)}`}
          </span>
        </p>
      </div>
      <div className="flex max-h-14 flex-wrap items-center gap-2 overflow-hidden md:max-w-[55%] md:justify-end">
        <FlagBadges brief of={flags} reasons={reasons} />
        <Badge>{texts.messages(messageCount)}</Badge>
        {leadGenerated && (
          <Badge variant="lead">
            <PersonIcon className="size-3.5" />
            {texts.lead}
          </Badge>
        )}
        {appointmentScheduled && (
          <Badge variant="appointment">
            <CalendarIcon className="size-3.5" />
            {texts.appointment}
          </Badge>
        )}
        {unanswered > 0 && <Badge>{filterTexts.unanswered.true}</Badge>}
        {failures > 0 && <Badge>{texts.failed}</Badge>}
        {outOfHours && <Badge>{filterTexts.outOfHours.true}</Badge>}
      </div>
      <Button
        aria-describedby={title}
        className="self-start md:self-auto"
        variant="secondary"
        data-opens
        onClick={() => onOpen(id, index)}
        size="small"
      >
        {texts.details}
      </Button>
    </div>
  );
});

function RowPlaceholder() {
  return (
    <div className="flex h-full items-center gap-4 px-5 sm:px-6">
      <div className="flex-1">
        <Skeleton className="h-6 w-3/5 max-w-80" />
        <Skeleton className="mt-1.5 h-4 w-32" />
      </div>
      <Skeleton className="h-6 w-24 rounded-full max-md:hidden" />
      <Skeleton className="h-9 w-26 rounded-lg" />
    </div>
  );
}

/** Placeholders of the first rows, until they are loaded. */
export function RowPlaceholders() {
  return (
    <div
      className="divide-y divide-sand-200 border-sand-200 border-t"
      data-testid="row-placeholders"
      role="status"
    >
      <span className="sr-only">{dashboardTexts.loadingConversations}</span>
      {placeholders.map((index) => (
        <div className="h-48 md:h-20" key={index}>
          <RowPlaceholder />
        </div>
      ))}
    </div>
  );
}
