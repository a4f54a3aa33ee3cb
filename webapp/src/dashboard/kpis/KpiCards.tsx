import { dashboardTexts } from "../../content/dashboard";
import { analyticsTexts, chartTexts } from "../../content/dashboardCharts";
import { formatCount, formatPercent } from "../../content/numbers";
import { Card } from "../../ui/Card";
import { classes } from "../../ui/classes";
import { Skeleton } from "../../ui/Skeleton";
import { Change } from "../shared/Change";
import { DrillDown } from "../shared/DrillDown";
import { deltaOf } from "../shared/delta";
import { Explanation } from "../shared/Explanation";
import type { Metric } from "../shared/state/address";
import type { Filters } from "../shared/state/filters";
import { daysOf, formatDays } from "../shared/state/period";
import { type Indicator, indicators, markerOf } from "./indicators";
import type { Kpis } from "./queries";

const cardRow = "grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4";

interface KpiCardsProps {
  readonly kpis: Kpis;
  /** Whether they are of the period before, until those of this one are there. */
  readonly outdated: boolean;
  /** The number that the chart shows. */
  readonly selected: Metric;
  readonly onSelect: (metric: Metric) => void;
  readonly onOpen: (filters: Filters) => void;
}

/** The four numbers of the period; the one that is chosen is drawn over time. */
export function KpiCards({ kpis, outdated, selected, onSelect, onOpen }: KpiCardsProps) {
  return (
    <section
      aria-busy={outdated}
      aria-label={dashboardTexts.indicators}
      className={classes(
        "flex flex-col gap-3 transition-opacity sm:gap-4",
        outdated && "opacity-50",
      )}
    >
      <dl className={cardRow}>
        {indicators.map((indicator) => (
          <KpiCard
            indicator={indicator}
            key={indicator.metric}
            kpis={kpis}
            onOpen={() => onOpen(indicator.filters)}
            onSelect={() => onSelect(indicator.metric)}
            selected={indicator.metric === selected}
          />
        ))}
      </dl>
      {kpis.comparison && <Compared to={kpis.comparison} />}
    </section>
  );
}

/** The days that the numbers are compared with. */
function Compared({ to }: { readonly to: NonNullable<Kpis["comparison"]> }) {
  const days = daysOf({ start: new Date(to.startDate), end: new Date(to.endDate) });
  return (
    <p className="-mt-1 text-ink-500 text-sm">{dashboardTexts.delta.compared(formatDays(days))}</p>
  );
}

interface KpiCardProps {
  readonly indicator: Indicator;
  readonly kpis: Kpis;
  readonly selected: boolean;
  readonly onSelect: () => void;
  readonly onOpen: () => void;
}

function KpiCard({ indicator, kpis, selected, onSelect, onOpen }: KpiCardProps) {
  const { metric, label, icon: Icon, field, note } = indicator;
  const name = chartTexts.metrics[metric];
  return (
    <Card
      className={classes(
        "keep-together relative overflow-hidden p-4 transition-colors sm:p-5",
        selected ? "border-sand-400" : "hover:border-sand-400",
      )}
    >
      {selected && (
        <span aria-hidden="true" className={`absolute inset-x-0 top-0 h-1 ${markerOf(metric)}`} />
      )}
      <dt className="flex items-start gap-2 font-medium text-ink-500 text-sm max-sm:min-h-10">
        <Icon className="size-5 shrink-0 max-sm:hidden" />
        <button
          aria-label={`${label}: ${chartTexts.select(name)}`}
          aria-pressed={selected}
          className="flex-1 text-left after:absolute after:inset-0 after:rounded-card focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-teal-600 focus-visible:after:-outline-offset-2"
          onClick={onSelect}
          type="button"
        >
          {label}
        </button>
        <Explanation className="relative -m-1" of={metric} />
      </dt>
      <dd className="mt-2 font-semibold text-3xl text-ink-900 tabular-nums leading-9 tracking-tight">
        <DrillDown label={analyticsTexts.open(kpis[field], label)} onOpen={onOpen}>
          {formatCount(kpis[field])}
        </DrillDown>
      </dd>
      <dd className="mt-1 text-ink-500 text-sm">{note(kpis)}</dd>
      {kpis.comparison && (
        <dd className="mt-2 flex flex-wrap items-center gap-x-2 text-ink-500 text-sm">
          <Changes indicator={indicator} kpis={kpis} />
        </dd>
      )}
    </Card>
  );
}

function Changes({ indicator, kpis }: Pick<KpiCardProps, "indicator" | "kpis">) {
  const { comparison } = kpis;
  if (!comparison) return null;
  const { change, previous } = comparison;
  const { field, metric } = indicator;
  const texts = dashboardTexts.delta;
  return (
    <>
      <Change delta={deltaOf(change[field], kpis[field], "%")} />
      {metric === "leads" && (
        <Change delta={deltaOf(change.conversionRate, kpis.conversionRate, "points")} />
      )}
      <span className="whitespace-nowrap text-[0.8125rem]">
        {metric === "leads"
          ? texts.versus(
              `${formatCount(previous.totalLeads)} · ${formatPercent(previous.conversionRate)}`,
            )
          : texts.versus(formatCount(previous[field]))}
      </span>
    </>
  );
}

const placeholders = [1, 2, 3, 4, 5, 6, 7, 8] as const;

/** Stands where the cards will be while the first numbers load. */
export function KpiPlaceholders() {
  return (
    <div className={cardRow} data-testid="kpi-placeholders" role="status">
      <span className="sr-only">{dashboardTexts.loadingNumbers}</span>
      {placeholders.map((placeholder) => (
        <Card className="p-4 sm:p-5" key={placeholder}>
          <Skeleton className="h-5 w-2/5" />
          <Skeleton className="mt-2 h-9 w-3/5" />
          <Skeleton className="mt-1 h-5 w-4/5" />
        </Card>
      ))}
    </div>
  );
}
