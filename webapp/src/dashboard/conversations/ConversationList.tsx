import { type Ref, useRef } from "react";
import { dashboardTexts } from "../../content/dashboard";
import { Card } from "../../ui/Card";
import { WarningIcon } from "../../ui/icons";
import type { useConversations } from "../shared/conversations";
import { NewDataNotice } from "../shared/NewDataNotice";
import { QueryFailure } from "../shared/QueryState";
import { useMay } from "../shared/rights";
import { hasFilters } from "../shared/state/filters";
import type { Dashboard } from "../shared/state/useDashboard";
import { EmptyList } from "./EmptyList";
import { ExportMenu } from "./ExportMenu";
import { FilterBar } from "./FilterBar";
import { RowPlaceholders } from "./Row";
import { mostRows, Rows } from "./Rows";

const texts = dashboardTexts.list;

interface ConversationListProps {
  readonly dashboard: Dashboard;
  /** What is known of the list beside the rows on screen. */
  readonly list: ReturnType<typeof useConversations>;
  readonly onOpen: (id: string, index: number) => void;
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
  const { view, listCohort, setView } = dashboard;
  const { total, loaded, isPending } = list;
  const mayExport = useMay("export");
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
        {mayExport && total > 0 && <ExportMenu cohort={listCohort} total={total} />}
      </div>
      {flagged > 0 && !view.filters.flagged && !view.filters.flag && (
        <Attention count={flagged} onOpen={() => dashboard.drillDown({ flagged: true })} />
      )}
      <FilterBar
        all={{ ...listCohort, filters: {} }}
        everywhere={view.everywhere}
        filters={view.filters}
        onEverywhere={(everywhere) => setView({ everywhere })}
        onFilter={(filters) =>
          setView({ filters, everywhere: view.everywhere && hasFilters(filters) })
        }
        search={search}
      />
      {dashboard.listOutdated && (
        <NewDataNotice
          className="no-print sticky top-0 z-10"
          message={texts.fresh}
          onShow={() => {
            dashboard.reloadList();
            top.current?.scrollIntoView({ block: "center" });
          }}
        />
      )}
      <div ref={top} />
      {isPending && <RowPlaceholders />}
      {loaded && total === 0 && <EmptyList dashboard={dashboard} />}
      {total > 0 ? (
        <Rows cohort={listCohort} onOpen={onOpen} total={total} />
      ) : (
        <QueryFailure
          className="px-5 py-3 sm:px-6"
          message={dashboardTexts.conversationsFailure}
          query={list}
        />
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
