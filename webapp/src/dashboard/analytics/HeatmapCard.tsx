import type { CSSProperties } from "react";
import { analyticsTexts } from "../../content/dashboardCharts";
import type { Dashboard } from "../shared/state/useDashboard";
import { HeatGrid } from "./HeatGrid";
import { OutOfHours } from "./OutOfHours";
import { useReport } from "./queries";
import { ReportCard } from "./ReportCard";

const texts = analyticsTexts.heatmap;

/** When people write, against the hours in which somebody is there. */
export function HeatmapCard({ dashboard }: { readonly dashboard: Dashboard }) {
  const query = useReport("heatmap", dashboard.cohort);
  return (
    <ReportCard
      className="lg:col-span-2"
      explained="heatmap"
      placeholder="h-[46rem] lg:h-96"
      query={query}
      title={texts.title}
    >
      {(heatmap) => (
        <>
          <p className="text-ink-500 text-sm">{texts.note}</p>
          <HeatGrid
            cells={heatmap.cells}
            onOpen={({ weekday, hour }) => dashboard.drillDown({ weekday, hour })}
          />
          <Scale />
          <OutOfHours onOpen={dashboard.drillDown} value={heatmap.outOfHours} />
        </>
      )}
    </ReportCard>
  );
}

const shades = [0, 0.25, 0.5, 0.75, 1] as const;

function Scale() {
  return (
    <div
      aria-hidden="true"
      className="mt-2 flex items-center justify-end gap-1 text-ink-500 text-sm"
    >
      {texts.less}
      {shades.map((shade) => (
        <span
          className="heat size-4 rounded-[0.1875rem]"
          key={shade}
          style={{ "--heat": `${100 * shade}%` } as CSSProperties}
        />
      ))}
      {texts.more}
    </div>
  );
}
