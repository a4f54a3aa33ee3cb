import {
  type CSSProperties,
  type KeyboardEvent,
  memo,
  type Ref,
  useId,
  useRef,
  useState,
} from "react";
import { referenceOf } from "../../api/problem";
import { dashboardTexts } from "../../content/dashboard";
import { filterTexts, topicsInWords } from "../../content/dashboardFilters";
import { formatMoment } from "../../content/dates";
import { Badge } from "../../ui/Badge";
import { Button } from "../../ui/Button";
import { Card } from "../../ui/Card";
import { classes } from "../../ui/classes";
import { FailureStrip } from "../../ui/FailureStrip";
import { CalendarIcon, ChatIcon, PersonIcon, WarningIcon } from "../../ui/icons";
import { Skeleton } from "../../ui/Skeleton";
import { type ConversationSummary, useConversations } from "../shared/conversations";
import { FlagBadges } from "../shared/FlagBadges";
import type { Scope } from "../shared/queries";
import { hasFilters } from "../shared/state/filters";
import { countDays } from "../shared/state/period";
import { presets } from "../shared/state/presets";
import type { Dashboard } from "../shared/state/useDashboard";
import { ExportMenu } from "./ExportMenu";
import { FilterBar } from "./FilterBar";
import { useLatestConversation } from "./queries";
import { useRowWindow, useSettled } from "./useRowWindow";

const texts = dashboardTexts.list;
const placeholders = [1, 2, 3, 4, 5] as const;
/** Browsers draw no page that is much higher than this many rows. */
const mostRows = 100_000;

interface ConversationListProps {
  readonly dashboard: Dashboard;
  /** What is known of the list beside the rows on screen. */
  readonly list: ReturnType<typeof useConversations>;
  readonly onOpen: (id: string, place: number) => void;
  readonly search: Ref<HTMLInputElement>;
  /** How many of the period's conversations ask for attention. */
  readonly flagged: number;
}

/** The conversations of the period, newest first. */
export function ConversationList({
  dashboard,
  list,
  onOpen,
  search,
  flagged,
}: ConversationListProps) {
  const { view, listed, look } = dashboard;
  const { total, loaded, isPending } = list;
  const top = useRef<HTMLDivElement>(null);

  return (
    <Card>
      <div className="flex flex-wrap items-center justify-between gap-3 px-5 pt-5 pb-3 sm:px-6">
        <div className="flex flex-wrap items-baseline gap-x-3">
          <h2 className="font-semibold text-ink-900 text-lg">{texts.title}</h2>
          <p className="text-ink-500 text-sm tabular-nums" role="status">
            {total > 0 && texts.total(total)}
          </p>
        </div>
        {total > 0 && <ExportMenu scope={listed} total={total} />}
      </div>
      {flagged > 0 && !view.filters.flagged && !view.filters.flag && (
        <Attention count={flagged} onOpen={() => dashboard.open({ flagged: true })} />
      )}
      <FilterBar
        all={{ ...listed, filters: {} }}
        everywhere={view.everywhere}
        filters={view.filters}
        onEverywhere={(everywhere) => look({ everywhere })}
        onFilter={(filters) =>
          look({ filters, everywhere: view.everywhere && hasFilters(filters) })
        }
        search={search}
      />
      {dashboard.listBehind && (
        <div className="no-print sticky top-0 z-10 flex items-center justify-between gap-3 border-sand-200 border-t bg-teal-50 px-5 py-2 text-sm text-teal-800 sm:px-6">
          <p role="status">{texts.fresh}</p>
          <Button
            look="quiet"
            onClick={() => {
              dashboard.relist();
              top.current?.scrollIntoView({ block: "center" });
            }}
            size="small"
          >
            {texts.showFresh}
          </Button>
        </div>
      )}
      <div ref={top} />
      {isPending && <RowPlaceholders />}
      {loaded && total === 0 && <EmptyList dashboard={dashboard} />}
      {total > 0 ? (
        <Rows listed={listed} onOpen={onOpen} total={total} />
      ) : (
        <ListFailure list={list} />
      )}
      {total > mostRows && (
        <p className="px-5 py-4 text-ink-500 text-sm sm:px-6">{texts.tooLong(mostRows)}</p>
      )}
    </Card>
  );
}

interface AttentionProps {
  readonly count: number;
  readonly onOpen: () => void;
}

/** Says that somebody should be seen to. */
function Attention({ count, onOpen }: AttentionProps) {
  return (
    <div className="mx-5 mb-4 flex flex-wrap items-center justify-between gap-x-3 gap-y-1 rounded-lg bg-warn-50 px-3 py-1.5 font-medium text-sm text-warn-800 sm:mx-6">
      <p className="flex items-center gap-2" role="status">
        <WarningIcon className="size-4.5 shrink-0" />
        {texts.attention(count)}
      </p>
      <button
        className="no-print min-h-9 underline underline-offset-4"
        onClick={onOpen}
        type="button"
      >
        {texts.showAttention}
      </button>
    </div>
  );
}

function ListFailure({ list }: Pick<ConversationListProps, "list">) {
  if (!list.isError) return null;
  return (
    <div className="px-5 py-3 sm:px-6">
      <FailureStrip
        message={dashboardTexts.conversationsFailure}
        onRetry={list.refetch}
        reference={referenceOf(list.error)}
      />
    </div>
  );
}

interface RowsProps extends Pick<ConversationListProps, "onOpen"> {
  readonly listed: Scope;
  readonly total: number;
}

/** The rows that are on the screen or near it, in the places that they have in the whole list. */
function Rows({ listed, total, onOpen }: RowsProps) {
  const count = Math.min(total, mostRows);
  const { list, first, last, height } = useRowWindow(count);
  const conversations = useConversations(listed, useSettled({ first, last }));
  /** The row with the focus stays, wherever the page scrolls. */
  const [focused, setFocused] = useState(-1);
  const drawn = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  if (focused >= 0 && focused < first) drawn.unshift(focused);
  if (focused > last && focused < count) drawn.push(focused);

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const row = (event.target as HTMLElement).closest("li");
    const next = step === 1 ? row?.nextElementSibling : step && row?.previousElementSibling;
    if (!next) return;
    event.preventDefault();
    next.querySelector("button")?.focus();
  };

  return (
    <>
      <div className="sticky top-0 z-10 bg-white">
        <ListFailure list={conversations} />
      </div>
      <ul
        aria-busy={conversations.isPlaceholderData}
        aria-label={texts.title}
        className={classes(
          "rows border-sand-200 border-t transition-opacity",
          conversations.isPlaceholderData && "opacity-50",
        )}
        onBlur={() => setFocused(-1)}
        onKeyDown={onKeyDown}
        ref={list}
        style={{ "--height": `${count * height}px` } as CSSProperties}
      >
        {drawn.map((place) => (
          <li
            aria-posinset={place + 1}
            aria-setsize={total}
            className="h-44 border-sand-200 border-b sm:h-20"
            key={place}
            onFocus={() => setFocused(place)}
            style={{ "--top": `${place * height}px` } as CSSProperties}
          >
            <Row conversation={conversations.at(place)} onOpen={onOpen} place={place} />
          </li>
        ))}
      </ul>
    </>
  );
}

interface RowProps extends Pick<ConversationListProps, "onOpen"> {
  /** Undefined while it is being loaded. */
  readonly conversation: ConversationSummary | undefined;
  readonly place: number;
}

const Row = memo(function Row({ conversation, place, onOpen }: RowProps) {
  const title = useId();
  if (!conversation) return <RowPlaceholder />;
  const { id, startedAt, messageCount, leadGenerated, appointmentScheduled } = conversation;
  const { unanswered = 0, failures = 0, outOfHours = false, topics = [] } = conversation;
  return (
    <div className="flex h-full flex-col justify-center gap-2 px-5 hover:bg-sand-50 sm:flex-row sm:items-center sm:gap-3 sm:px-6">
      <div className="min-w-0 sm:flex-1">
        <h3 className="truncate font-medium text-ink-900" id={title} title={id}>
          <bdi>{texts.session(id)}</bdi>
        </h3>
        <p className="truncate text-ink-500 text-sm">
          <time className="tabular-nums" dateTime={startedAt}>
            {formatMoment(new Date(startedAt))}
          </time>
          {topics.length > 0 && ` · ${topicsInWords(topics)}`}
        </p>
      </div>
      <div className="flex max-h-14 flex-wrap items-center gap-2 overflow-hidden sm:max-w-[55%] sm:justify-end">
        <FlagBadges of={conversation.flags} />
        <Badge>{texts.messages(messageCount)}</Badge>
        {leadGenerated && (
          <Badge tone="lead">
            <PersonIcon className="size-3.5" />
            {texts.lead}
          </Badge>
        )}
        {appointmentScheduled && (
          <Badge tone="appointment">
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
        className="self-start sm:self-auto"
        look="secondary"
        onClick={() => onOpen(id, place)}
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
      <Skeleton className="h-6 w-24 rounded-full max-sm:hidden" />
      <Skeleton className="h-9 w-26 rounded-lg" />
    </div>
  );
}

function EmptyList({ dashboard }: { readonly dashboard: Dashboard }) {
  const { view, chosen, today, pick } = dashboard;
  const filtered = hasFilters(view.filters);
  const latest = useLatestConversation(!filtered).data;
  const quarter = presets.find(({ name }) => name === "quarter")?.days(today);
  return (
    <div className="grid justify-items-center gap-2 border-sand-200 border-t px-5 py-14 text-center">
      <span className="mb-1 grid size-12 place-items-center rounded-full bg-sand-100 text-ink-500">
        <ChatIcon className="size-6" />
      </span>
      <p className="font-medium text-ink-900">{filtered ? texts.emptyFiltered : texts.empty}</p>
      <p className="text-ink-500 text-sm">
        {filtered ? texts.emptyFilteredHint : latest === null ? texts.none : texts.emptyHint}
      </p>
      {latest && (
        <p className="text-ink-500 text-sm">{texts.latest(formatMoment(new Date(latest)))}</p>
      )}
      {!filtered &&
        latest !== null &&
        quarter &&
        (!chosen || countDays(chosen) < countDays(quarter)) && (
          <Button className="mt-2" look="secondary" onClick={() => pick(quarter)} size="small">
            {texts.showQuarter}
          </Button>
        )}
    </div>
  );
}

function RowPlaceholders() {
  return (
    <div
      className="divide-y divide-sand-200 border-sand-200 border-t"
      data-testid="row-placeholders"
      role="status"
    >
      <span className="sr-only">{dashboardTexts.loadingConversations}</span>
      {placeholders.map((place) => (
        <div className="h-44 sm:h-20" key={place}>
          <RowPlaceholder />
        </div>
      ))}
    </div>
  );
}
