import { chartTexts } from "../../content/dashboardCharts";
import { formatMetric, lessIsBetter, type Metric } from "../../content/dashboardKpis";
import { Change } from "../shared/Change";
import { DrillDown } from "../shared/DrillDown";
import { type Bucket, deltaOfMetric, type Totals } from "./series";

interface ChartTableProps {
  readonly title: string;
  readonly metric: Metric;
  readonly buckets: readonly Bucket[];
  readonly totals: Totals;
  readonly onPick: (bucket: Bucket) => void;
  /** What picking a bucket does, in words. */
  readonly pickLabel: (bucket: string) => string;
  readonly leadsTo: "conversations" | "days";
}

/** The same series as a table; it adds up to the number above. */
export function ChartTable(props: ChartTableProps) {
  const { title, metric, buckets, totals, onPick, pickLabel, leadsTo } = props;
  const { columns } = chartTexts;
  const compared = totals.previous !== undefined;
  return (
    <section
      aria-label={title}
      className="h-full scroll-py-10 overflow-y-auto"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
      tabIndex={0}
    >
      <table className="w-full text-[0.9375rem] tabular-nums">
        <thead className="sticky top-0 bg-white text-ink-500 text-sm">
          <tr>
            <th className="py-1.5 pr-3 text-left font-medium" scope="col">
              {columns.bucket}
            </th>
            <th className={`${cell} font-medium`} scope="col">
              {columns.value}
            </th>
            {compared && (
              <>
                <th className={`${cell} font-medium`} scope="col">
                  {columns.previous}
                </th>
                <th className={`${cell} font-medium`} scope="col">
                  {columns.change}
                </th>
              </>
            )}
          </tr>
        </thead>
        <tbody className="divide-y divide-sand-200 border-sand-200 border-y">
          {buckets
            .filter(({ point }) => !point.future)
            .map((bucket) => (
              <tr key={bucket.point.startDate}>
                <th className="py-1.5 pr-3 text-left font-normal text-ink-700" scope="row">
                  <DrillDown
                    label={pickLabel(bucket.name)}
                    onOpen={() => onPick(bucket)}
                    to={leadsTo}
                  >
                    {bucket.name}
                  </DrillDown>
                  {(bucket.partial || bucket.clipped) && (
                    <span className="text-ink-500 text-sm">
                      {" · "}
                      {bucket.partial ? chartTexts.partial : chartTexts.clipped}
                    </span>
                  )}
                  {bucket.marks.map(({ kind, words }) => (
                    <span
                      className="block text-ink-500 text-sm [overflow-wrap:anywhere]"
                      key={kind}
                    >
                      {words}
                    </span>
                  ))}
                </th>
                <td className={`${cell} text-ink-900`}>{shown(metric, bucket.value)}</td>
                {compared && (
                  <Compared before={bucket.previous} metric={metric} value={bucket.value} />
                )}
              </tr>
            ))}
        </tbody>
        <tfoot className="sticky bottom-0 bg-white font-semibold text-ink-900">
          <tr>
            <th className="py-1.5 pr-3 text-left" scope="row">
              {chartTexts.total}
            </th>
            <td className={cell}>{shown(metric, totals.value)}</td>
            {compared && (
              <Compared before={totals.previous ?? null} metric={metric} value={totals.value} />
            )}
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

const cell = "whitespace-nowrap py-1.5 pl-3 text-right";

function shown(metric: Metric, value: number | null): string {
  return value === null ? "—" : formatMetric(metric, value);
}

interface ComparedProps {
  readonly metric: Metric;
  readonly value: number | null;
  readonly before: number | null;
}

function Compared({ metric, value, before }: ComparedProps) {
  return (
    <>
      <td className={cell}>{shown(metric, before)}</td>
      <td className={cell}>
        {value !== null && before !== null && (
          <Change
            delta={deltaOfMetric(metric, value, before)}
            lessIsBetter={lessIsBetter(metric)}
          />
        )}
      </td>
    </>
  );
}
