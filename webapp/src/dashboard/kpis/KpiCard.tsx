import { dashboardTexts } from "../../content/dashboard";
import { analyticsTexts, chartTexts } from "../../content/dashboardCharts";
import { type CardMetric, kpiTexts } from "../../content/dashboardKpis";
import { formatCount, formatPercent } from "../../content/numbers";
import { Card } from "../../ui/Card";
import { classes } from "../../ui/classes";
import { Change } from "../shared/Change";
import { DrillDown } from "../shared/DrillDown";
import { deltaOf } from "../shared/delta";
import { Explanation } from "../shared/Explanation";
import { indicators, type Kpis } from "./indicators";

interface KpiCardProps {
  readonly metric: CardMetric;
  readonly kpis: Kpis;
  readonly selected: boolean;
  readonly onSelect: () => void;
  readonly onOpen: () => void;
}

/** One number, how it changed, and the way to its conversations and its chart. */
export function KpiCard({ metric, kpis, selected, onSelect, onOpen }: KpiCardProps) {
  const { icon: Icon, field, note } = indicators[metric];
  const { title, name } = kpiTexts[metric];
  return (
    <Card
      className={classes(
        "keep-together relative overflow-hidden p-3.5 transition-colors sm:p-5",
        selected ? "border-sand-400" : "hover:border-sand-400",
      )}
    >
      {selected && (
        <span
          aria-hidden="true"
          className="absolute inset-x-0 top-0 h-1"
          style={{ backgroundColor: `var(--metric-${metric})` }}
        />
      )}
      <dt className="flex items-start gap-2 font-medium text-ink-500 text-sm max-sm:min-h-10">
        <Icon className="size-5 shrink-0 max-sm:hidden" />
        <button
          aria-label={`${title}: ${chartTexts.select(name)}`}
          aria-pressed={selected}
          className="min-w-0 flex-1 hyphens-auto text-left [overflow-wrap:anywhere] after:absolute after:inset-0 after:rounded-card focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-teal-600 focus-visible:after:-outline-offset-2"
          onClick={onSelect}
          type="button"
        >
          {title}
        </button>
        <Explanation className="relative -m-1" of={metric} />
      </dt>
      <dd className="mt-2 font-semibold text-2xl text-ink-900 tabular-nums leading-9 tracking-tight sm:text-3xl">
        <DrillDown label={analyticsTexts.open(kpis[field], title)} onOpen={onOpen}>
          {formatCount(kpis[field])}
        </DrillDown>
      </dd>
      <dd className="mt-1 text-ink-500 text-sm">{note(kpis)}</dd>
      {kpis.comparison && (
        <dd className="mt-2 flex flex-wrap items-center gap-x-2 text-ink-500 text-sm">
          <Changes kpis={kpis} metric={metric} />
        </dd>
      )}
    </Card>
  );
}

function Changes({ metric, kpis }: Pick<KpiCardProps, "metric" | "kpis">) {
  const { comparison } = kpis;
  if (!comparison) return null;
  const { change, previous } = comparison;
  const { field, rate } = indicators[metric];
  const before = [formatCount(previous[field]), ...(rate ? [formatPercent(previous[rate])] : [])];
  return (
    <>
      <Change delta={deltaOf(change[field], kpis[field], "%")} />
      {rate && <Change delta={deltaOf(change[rate], kpis[rate], "points")} />}
      <span className="whitespace-nowrap text-[0.8125rem]">
        {dashboardTexts.delta.versus(before.join(" · "))}
      </span>
    </>
  );
}
