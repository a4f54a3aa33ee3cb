import { chartTexts } from "../../content/dashboardCharts";
import { Skeleton } from "../../ui/Skeleton";
import { chartHeight } from "./chartHeight";

/** A placeholder of the chart, until its numbers are loaded. */
export function ChartPlaceholder() {
  return (
    <div role="status">
      <span className="sr-only">{chartTexts.loading}</span>
      <div className={chartHeight}>
        <Skeleton className="h-full w-full rounded-xl" />
      </div>
      <Skeleton className="mt-2 mb-6 h-5 w-64 max-w-full" />
    </div>
  );
}
