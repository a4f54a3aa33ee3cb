import { Suspense } from "react";
import { chartTexts } from "../../content/dashboardCharts";
import { formatIsoDay } from "../../content/zone";
import { Boundary, lazyPart } from "../../ui/Boundary";
import { Skeleton } from "../../ui/Skeleton";
import type { Dashboard } from "../shared/state/useDashboard";
import { useTaughtAnswers } from "../shared/taught";
import { ChartTable } from "./ChartTable";
import { chartHeight } from "./chartHeight";
import { Legend } from "./Legend";
import type { Timeseries } from "./queries";
import { type Bucket, bucketsOf, daysOfBucket, totalsOf } from "./series";

const TimeChart = lazyPart(() => import("./TimeChart"));

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
  const totals = totalsOf(buckets);
  const { highest } = totals;
  const colour = `var(--metric-${view.metric})`;
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
            onPick={onPick}
            pickLabel={oneDay ? chartTexts.open : chartTexts.zoom}
            title={title}
            totals={totals}
          />
        ) : (
          <Boundary>
            <Suspense fallback={<Skeleton className="h-full w-full rounded-xl" />}>
              <div aria-hidden="true" className="h-full cursor-pointer">
                <TimeChart buckets={buckets} colour={colour} onPick={onPick} />
              </div>
            </Suspense>
          </Boundary>
        )}
      </div>
      <figcaption className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1 text-ink-500 text-sm">
        <span className="tabular-nums">
          {highest
            ? chartTexts.summary(totals.value, highest.value ?? 0, highest.name)
            : chartTexts.flat}
        </span>
        {!asTable && <Legend buckets={buckets} colour={colour} />}
      </figcaption>
    </>
  );
}

/** The hour of the clinic in which an hourly bucket begins. */
function hourOf({ shortName }: Bucket): number {
  return Number.parseInt(shortName, 10);
}
