import { useState } from "react";
import { chartTexts } from "../../content/dashboardCharts";
import { formatMetric, isRate, type Metric } from "../../content/dashboardKpis";
import { formatIsoDay } from "../../content/zone";
import type { Dashboard } from "../shared/state/useDashboard";
import { useTaughtAnswers } from "../shared/taught";
import { ChartTable } from "./ChartTable";
import { chartHeight } from "./chartHeight";
import { Legend } from "./Legend";
import type { Timeseries } from "./queries";
import { type Bucket, bucketsOf, daysOfBucket, type Totals, totalsOf } from "./series";
import { WalkedChart } from "./WalkedChart";

interface ChartDrawingProps {
  readonly dashboard: Dashboard;
  readonly data: Timeseries;
  readonly asTable: boolean;
  readonly title: string;
}

/** A series as a line or as a table, with its sum; a bucket leads into its days, or to its conversations. */
export function ChartDrawing({ dashboard, data, asTable, title }: ChartDrawingProps) {
  const { view, days, pick, drillDown } = dashboard;
  const taught = useTaughtAnswers().data?.answers ?? [];
  const teachings = taught.flatMap(({ slug, versions }) =>
    versions.map(({ at }) => ({ slug, at })),
  );
  const buckets = bucketsOf(data, view.metric, teachings);
  const totals = totalsOf(data, view.metric, buckets);
  const [walked, setWalked] = useState<number>();
  const bucket = buckets[walked ?? -1];
  const oneDay = formatIsoDay(days.from) === formatIsoDay(days.to);
  const onPick = (bucket: Bucket) => {
    const within = daysOfBucket(bucket.point, data.zone);
    if (!oneDay) pick(within);
    else drillDown({ hour: hourOf(bucket) }, within);
  };

  return (
    <>
      <div className={chartHeight}>
        {asTable ? (
          <ChartTable
            buckets={buckets}
            leadsTo={oneDay ? "conversations" : "days"}
            metric={view.metric}
            onPick={onPick}
            pickLabel={oneDay ? chartTexts.open : chartTexts.zoom}
            title={title}
            totals={totals}
          />
        ) : (
          <WalkedChart
            buckets={buckets}
            metric={view.metric}
            onPick={onPick}
            onWalk={setWalked}
            title={title}
            walked={walked}
          />
        )}
      </div>
      <figcaption className="mt-2 flex min-h-11 flex-wrap content-start items-center gap-x-4 gap-y-1 text-ink-500 text-sm">
        {!bucket && <span className="tabular-nums">{summaryOf(view.metric, totals)}</span>}
        <span aria-live="polite" className="font-medium text-ink-900 tabular-nums">
          {bucket && bucketInWords(view.metric, bucket)}
        </span>
        {!asTable && <Legend buckets={buckets} colour={`var(--metric-${view.metric})`} />}
      </figcaption>
    </>
  );
}

function summaryOf(metric: Metric, { value, highest }: Totals): string {
  if (value === null || highest?.value == null) return chartTexts.flat;
  const words = isRate(metric) ? chartTexts.summaryOfRate : chartTexts.summary;
  return words(formatMetric(metric, value), formatMetric(metric, highest.value), highest.name);
}

function bucketInWords(metric: Metric, { name, value, previous, marks }: Bucket): string {
  const shown = value === null ? chartTexts.noValue : formatMetric(metric, value);
  const compared = previous === null ? undefined : formatMetric(metric, previous);
  return [chartTexts.ofBucket(name, shown, compared), ...marks.map(({ words }) => words)].join(
    ". ",
  );
}

/** The hour of the clinic in which an hourly bucket begins. */
function hourOf({ shortName }: Bucket): number {
  return Number.parseInt(shortName, 10);
}
