import { type KeyboardEvent, Suspense } from "react";
import { chartTexts } from "../../content/dashboardCharts";
import type { Metric } from "../../content/dashboardKpis";
import { Boundary, lazyPart } from "../../ui/Boundary";
import { Skeleton } from "../../ui/Skeleton";
import type { Bucket } from "./series";

const TimeChart = lazyPart(() => import("./TimeChart"));

interface WalkedChartProps {
  readonly metric: Metric;
  readonly title: string;
  readonly buckets: readonly Bucket[];
  /** The bucket that the keys lead to; undefined for none. */
  readonly walked: number | undefined;
  readonly onWalk: (bucket: number | undefined) => void;
  readonly onPick: (bucket: Bucket) => void;
}

/** The line, of which arrow keys walk the buckets that have begun. */
export function WalkedChart(props: WalkedChartProps) {
  const { metric, title, buckets, walked, onWalk, onPick } = props;
  const last = buckets.findLastIndex(({ point }) => !point.future);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const leads: Record<string, number> = {
      ArrowLeft: (walked ?? last + 1) - 1,
      ArrowRight: (walked ?? -1) + 1,
      Home: 0,
      End: last,
    };
    const to = leads[event.key];
    const bucket = buckets[walked ?? -1];
    if (to !== undefined && last >= 0) onWalk(Math.min(Math.max(to, 0), last));
    else if (event.key === "Enter" && bucket) onPick(bucket);
    else return;
    event.preventDefault();
  };
  return (
    <div
      aria-label={`${title}. ${chartTexts.keys}`}
      aria-roledescription={chartTexts.role}
      className="h-full rounded-xl"
      onBlur={() => onWalk(undefined)}
      onKeyDown={onKeyDown}
      role="application"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the role gives it the keys
      tabIndex={0}
    >
      <Boundary>
        <Suspense fallback={<Skeleton className="h-full w-full rounded-xl" />}>
          <div aria-hidden="true" className="h-full cursor-pointer">
            <TimeChart
              buckets={buckets}
              colour={`var(--metric-${metric})`}
              metric={metric}
              onPick={onPick}
              walked={walked === undefined ? undefined : buckets[walked]}
            />
          </div>
        </Suspense>
      </Boundary>
    </div>
  );
}
