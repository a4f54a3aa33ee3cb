import { useId, useState } from "react";
import { chartTexts } from "../../content/dashboardCharts";
import { isRate, metrics, metricTexts } from "../../content/dashboardKpis";
import { formatIsoDay } from "../../content/zone";
import { Button } from "../../ui/Button";
import { Card } from "../../ui/Card";
import { classes } from "../../ui/classes";
import { Explanation } from "../shared/Explanation";
import { DownloadIcon, LineChartIcon, TableIcon } from "../shared/icons";
import { QueryFailure } from "../shared/QueryState";
import { Select } from "../shared/Select";
import type { DayRange } from "../shared/state/period";
import type { Dashboard } from "../shared/state/useDashboard";
import { ChartDrawing } from "./ChartDrawing";
import { ChartNotes } from "./ChartNotes";
import { ChartPlaceholder } from "./ChartPlaceholder";
import { download } from "./download";
import { Intervals } from "./Intervals";
import { type Timeseries, useTimeseries } from "./queries";
import { csvOf } from "./series";

interface ChartCardProps {
  readonly dashboard: Dashboard;
}

/** The chosen number over time, as a line or as a table. */
export function ChartCard({ dashboard }: ChartCardProps) {
  const { view, cohort, days, setView } = dashboard;
  const series = useTimeseries(cohort, view.interval, view.compare);
  const [asTable, setAsTable] = useState(false);
  const title = useId();
  const { data, isPending, isPlaceholderData } = series;
  const heading = chartTexts.title(
    metricTexts[view.metric].name,
    data ? chartTexts.perInterval[data.interval] : "",
  );

  return (
    <Card className="keep-together">
      <figure aria-busy={isPending || isPlaceholderData} aria-labelledby={title}>
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 pt-4 sm:px-5">
          <div className="flex min-w-0 flex-1 basis-48 items-center gap-1">
            <h2 className="min-h-9 content-center font-semibold text-ink-900" id={title}>
              {heading}
            </h2>
            {isRate(view.metric) && <Explanation of={view.metric} />}
          </div>
          {data && data.intervals.length > 1 && (
            <Intervals
              offered={data.intervals}
              onSelect={(interval) => setView({ interval }, "replace")}
              selected={data.interval}
            />
          )}
          <Select
            aria-label={chartTexts.metric}
            className="no-print"
            onSelect={(metric) => setView({ metric }, "replace")}
            options={metrics.map((metric) => [metric, metricTexts[metric].name])}
            value={view.metric}
          />
        </div>
        <div className="px-4 pt-2 sm:px-5 print:pb-4">
          <QueryFailure
            message={series.outdated ? chartTexts.outdated : chartTexts.failure}
            query={series}
          />
          {isPending && <ChartPlaceholder />}
          {data && (
            <div className={classes("transition-opacity", isPlaceholderData && "opacity-50")}>
              <ChartDrawing asTable={asTable} dashboard={dashboard} data={data} title={heading} />
            </div>
          )}
        </div>
        <div className="no-print flex flex-wrap justify-end gap-1 px-2 pb-2 sm:px-3">
          <ChartNotes days={days} notes={data?.notes ?? []} />
          <Button
            aria-pressed={asTable}
            disabled={!data}
            variant="quiet"
            onClick={() => setAsTable(!asTable)}
            size="small"
          >
            {asTable ? <LineChartIcon className="size-4" /> : <TableIcon className="size-4" />}
            {asTable ? chartTexts.showChart : chartTexts.showTable}
          </Button>
          <Button
            disabled={!data}
            variant="quiet"
            onClick={() => data && save(data, days)}
            size="small"
          >
            <DownloadIcon className="size-4" />
            {chartTexts.download}
          </Button>
        </div>
      </figure>
    </Card>
  );
}

function save(data: Timeseries, { from, to }: DayRange): void {
  const name = chartTexts.csv.file(formatIsoDay(from), formatIsoDay(to));
  download(name, "text/csv;charset=utf-8", csvOf(data));
}
