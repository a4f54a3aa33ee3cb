import { type Ref, useId } from "react";
import { dashboardTexts } from "../content/dashboard";
import { topicsInWords } from "../content/dashboardFilters";
import { formatMoment } from "../content/spanish";
import { Badge } from "../ui/Badge";
import { Button } from "../ui/Button";
import { Card } from "../ui/Card";
import { classes } from "../ui/classes";
import { FailureStrip } from "../ui/FailureStrip";
import { CalendarIcon, ChatIcon, PersonIcon } from "../ui/icons";
import { Skeleton } from "../ui/Skeleton";
import { hasFilters } from "./address";
import { countDays } from "./days";
import { ExportMenu } from "./ExportMenu";
import { FilterBar } from "./FilterBar";
import { presets } from "./presets";
import type { ConversationSummary, useConversations } from "./queries";
import type { Dashboard } from "./useDashboard";

const texts = dashboardTexts.list;
const placeholders = [1, 2, 3, 4, 5] as const;

interface ConversationListProps {
  readonly dashboard: Dashboard;
  readonly query: ReturnType<typeof useConversations>;
  readonly onOpen: (id: string) => void;
  readonly search: Ref<HTMLInputElement>;
}

/** The conversations of the period, newest first, a page at a time. */
export function ConversationList({ dashboard, query, onOpen, search }: ConversationListProps) {
  const { view, listed, look } = dashboard;
  const { data, isPending, isPlaceholderData, isError, refetch } = query;
  const conversations = data?.pages.flatMap((page) => page.conversations) ?? [];
  const total = data?.pages[0]?.total ?? 0;

  return (
    <Card>
      <div className="flex flex-wrap items-center justify-between gap-3 px-5 pt-5 pb-3 sm:px-6">
        <h2 className="font-semibold text-ink-900 text-lg">{texts.title}</h2>
        {total > 0 && <ExportMenu scope={listed} total={total} />}
      </div>
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
        <div className="flex items-center justify-between gap-3 border-sand-200 border-t bg-teal-50 px-5 py-2 text-sm text-teal-800 sm:px-6">
          <p role="status">{texts.fresh}</p>
          <Button look="quiet" onClick={dashboard.relist} size="small">
            {texts.showFresh}
          </Button>
        </div>
      )}
      {isError && !query.isFetchNextPageError && (
        <div className="px-5 pb-5 sm:px-6">
          <FailureStrip message={dashboardTexts.conversationsFailure} onRetry={() => refetch()} />
        </div>
      )}
      {isPending && <RowPlaceholders />}
      {data && conversations.length === 0 && <EmptyList dashboard={dashboard} />}
      {conversations.length > 0 && (
        <>
          <ul
            aria-busy={isPlaceholderData}
            className={classes(
              "divide-y divide-sand-200 border-sand-200 border-y transition-opacity",
              isPlaceholderData && "opacity-50",
            )}
          >
            {conversations.map((conversation) => (
              <Row conversation={conversation} key={conversation.id} onOpen={onOpen} />
            ))}
          </ul>
          <MoreRows query={query} shown={conversations.length} total={total} />
        </>
      )}
    </Card>
  );
}

interface RowProps {
  readonly conversation: ConversationSummary;
  readonly onOpen: (id: string) => void;
}

function Row({ conversation, onOpen }: RowProps) {
  const title = useId();
  const { id, startedAt, messageCount, leadGenerated, appointmentScheduled } = conversation;
  const { unanswered = 0, failures = 0, outOfHours = false, topics = [] } = conversation;
  return (
    <li className="flex flex-col gap-3 px-5 py-4 hover:bg-sand-50 sm:flex-row sm:items-center sm:px-6">
      <div className="min-w-0 flex-1">
        <h3 className="truncate font-medium text-ink-900" id={title} title={id}>
          {texts.session(id)}
        </h3>
        <time className="text-ink-500 text-sm tabular-nums" dateTime={startedAt}>
          {formatMoment(new Date(startedAt))}
        </time>
        {topics.length > 0 && (
          <span className="text-ink-500 text-sm"> · {topicsInWords(topics)}</span>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-2 sm:justify-end">
        {outOfHours && <Badge>{texts.outOfHours}</Badge>}
        {unanswered > 0 && <Badge>{texts.unanswered}</Badge>}
        {failures > 0 && <Badge>{texts.failed}</Badge>}
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
      </div>
      <Button
        aria-describedby={title}
        className="self-start sm:self-auto"
        look="secondary"
        onClick={() => onOpen(id)}
        size="small"
      >
        {texts.details}
      </Button>
    </li>
  );
}

interface MoreRowsProps {
  readonly query: ReturnType<typeof useConversations>;
  readonly shown: number;
  readonly total: number;
}

function MoreRows({ query, shown, total }: MoreRowsProps) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 px-5 py-4 sm:px-6">
      {isFetchNextPageError && (
        <div className="w-full">
          <FailureStrip
            message={dashboardTexts.conversationsFailure}
            onRetry={() => fetchNextPage()}
          />
        </div>
      )}
      <p aria-live="polite" className="text-ink-500 text-sm tabular-nums">
        {texts.shown(shown, total)}
      </p>
      {hasNextPage && (
        <Button
          aria-disabled={isFetchingNextPage}
          look="secondary"
          onClick={() => !isFetchingNextPage && fetchNextPage()}
          size="small"
        >
          {isFetchingNextPage ? texts.loadingMore : texts.more}
        </Button>
      )}
    </div>
  );
}

function EmptyList({ dashboard }: { readonly dashboard: Dashboard }) {
  const { view, chosen, today, pick } = dashboard;
  const filtered = hasFilters(view.filters);
  const quarter = presets.find(({ name }) => name === "quarter")?.days(today);
  return (
    <div className="grid justify-items-center gap-2 border-sand-200 border-t px-5 py-14 text-center">
      <span className="mb-1 grid size-12 place-items-center rounded-full bg-sand-100 text-ink-500">
        <ChatIcon className="size-6" />
      </span>
      <p className="font-medium text-ink-900">{filtered ? texts.emptyFiltered : texts.empty}</p>
      <p className="text-ink-500 text-sm">{filtered ? texts.emptyFilteredHint : texts.emptyHint}</p>
      {!filtered && quarter && (!chosen || countDays(chosen) < countDays(quarter)) && (
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
        <div className="flex items-center gap-4 px-5 py-4 sm:px-6" key={place}>
          <div className="flex-1">
            <Skeleton className="h-6 w-3/5 max-w-80" />
            <Skeleton className="mt-1.5 h-4 w-32" />
          </div>
          <Skeleton className="h-6 w-24 rounded-full max-sm:hidden" />
          <Skeleton className="h-9 w-26 rounded-lg" />
        </div>
      ))}
    </div>
  );
}
