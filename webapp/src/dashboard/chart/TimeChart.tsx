import {
  Area,
  CartesianGrid,
  ComposedChart,
  Line,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import { chartTexts } from "../../content/dashboardCharts";
import { formatMetric, isRate, lessIsBetter, type Metric } from "../../content/dashboardKpis";
import { Change } from "../shared/Change";
import { type Bucket, deltaOfMetric, type Mark } from "./series";

interface TimeChartProps {
  readonly buckets: readonly Bucket[];
  readonly colour: string;
  readonly metric: Metric;
  /** The bucket that the keys lead to. */
  readonly walked: Bucket | undefined;
  readonly onPick: (bucket: Bucket) => void;
}

/** Beyond so many buckets, points on the line would touch each other. */
const mostDots = 45;

const margin = { top: 8, right: 12, bottom: 0, left: 0 } as const;

const axis = { fill: "var(--color-ink-500)", fontSize: 12 } as const;

/** The line of one number over time, beside the paler one that it is compared with. */
export default function TimeChart({ buckets, colour, metric, walked, onPick }: TimeChartProps) {
  const dots = buckets.length <= mostDots;
  const solid = {
    r: 2.5,
    fill: colour,
    stroke: colour,
    fillOpacity: 1,
    strokeWidth: 1,
    strokeDasharray: "0",
  };
  const hollow = { ...solid, r: 3.5, fill: "var(--color-white)", strokeWidth: 2 };
  return (
    <ResponsiveContainer height="100%" width="100%">
      <ComposedChart
        accessibilityLayer={false}
        data={[...buckets]}
        margin={margin}
        onClick={({ activeTooltipIndex }) => {
          const bucket = buckets[Number(activeTooltipIndex ?? Number.NaN)];
          if (bucket && !bucket.point.future) onPick(bucket);
        }}
      >
        <CartesianGrid stroke="var(--color-sand-200)" vertical={false} />
        <XAxis
          axisLine={{ stroke: "var(--color-sand-300)" }}
          dataKey="shortName"
          interval="equidistantPreserveStart"
          minTickGap={24}
          tick={axis}
          tickLine={false}
          tickMargin={8}
        />
        <YAxis
          allowDecimals={false}
          axisLine={false}
          tick={axis}
          tickFormatter={(value: number) => formatMetric(metric, value)}
          tickLine={false}
          width={isRate(metric) ? 60 : 44}
        />
        <Tooltip
          content={({ active, payload }) => {
            const bucket = payload?.[0]?.payload as Bucket | undefined;
            return active && bucket ? (
              <BucketTooltip bucket={bucket} colour={colour} metric={metric} />
            ) : null;
          }}
          cursor={{ stroke: "var(--color-sand-400)" }}
          isAnimationActive={false}
        />
        <Line
          activeDot={false}
          dataKey={() => 0}
          dot={({ key, cx = 0, cy, payload }) => (
            <g key={key}>
              <Marks bottom={cy} marks={(payload as Bucket).marks} x={cx} />
              {payload === walked && (
                <path
                  d={`M${cx} ${margin.top}V${cy}`}
                  stroke="var(--color-ink-900)"
                  strokeWidth="1.5"
                />
              )}
            </g>
          )}
          isAnimationActive={false}
          stroke="none"
          tooltipType="none"
        />
        <Line
          activeDot={false}
          dataKey="previous"
          dot={buckets.length === 1}
          isAnimationActive={false}
          stroke="var(--color-ink-400)"
          strokeOpacity={0.55}
          strokeWidth={1.5}
          type="linear"
        />
        <Area
          activeDot={{ r: 5, fill: colour, stroke: "var(--color-white)", strokeWidth: 2 }}
          dataKey="complete"
          dot={dots && solid}
          fill={colour}
          fillOpacity={0.08}
          isAnimationActive={false}
          stroke={colour}
          strokeWidth={2}
          type="linear"
        />
        <Line
          activeDot={{ r: 5, fill: "var(--color-white)", stroke: colour, strokeWidth: 2 }}
          dataKey="dashed"
          dot={({ key, cx, cy, payload }) =>
            payload.partial || payload.clipped ? (
              <circle key={key} {...hollow} cx={cx} cy={cy} />
            ) : (
              <g key={key} />
            )
          }
          isAnimationActive={false}
          stroke={colour}
          strokeDasharray="5 5"
          strokeWidth={2}
          type="linear"
        />
      </ComposedChart>
    </ResponsiveContainer>
  );
}

interface MarksProps {
  readonly marks: readonly Mark[];
  readonly x: number;
  readonly bottom: number | undefined;
}

/** A line through the whole chart where something happened, with its signs. */
function Marks({ marks, x, bottom }: MarksProps) {
  if (marks.length === 0) return null;
  return (
    <g>
      <path
        d={`M${x} ${margin.top}V${bottom}`}
        stroke="var(--color-ink-500)"
        strokeDasharray="2 3"
      />
      <text {...axis} dx="-4" textAnchor="end" x={x} y={margin.top + 10}>
        {marks.map(({ sign }) => sign).join(" ")}
      </text>
    </g>
  );
}

interface BucketTooltipProps {
  readonly bucket: Bucket;
  readonly colour: string;
  readonly metric: Metric;
}

function BucketTooltip({ bucket, colour, metric }: BucketTooltipProps) {
  const { name, value, previous, previousName, partial, clipped, marks } = bucket;
  if (value === null) return null;
  return (
    <div className="rounded-xl border border-sand-200 bg-white px-3.5 py-2.5 text-sm shadow-float">
      <p className="text-ink-500">
        {name}
        {partial && ` · ${chartTexts.partial.toLowerCase()}`}
        {clipped && !partial && ` · ${chartTexts.clipped.toLowerCase()}`}
      </p>
      <p className="mt-1 flex items-baseline gap-2">
        <svg aria-hidden="true" className="size-2.5 self-center" viewBox="0 0 10 10">
          <circle cx="5" cy="5" fill={colour} r="5" />
        </svg>
        <span className="font-semibold text-base text-ink-900 tabular-nums">
          {formatMetric(metric, value)}
        </span>
        {previous !== null && (
          <Change
            delta={deltaOfMetric(metric, value, previous)}
            lessIsBetter={lessIsBetter(metric)}
          />
        )}
      </p>
      {previous !== null && (
        <p className="mt-0.5 text-ink-500 tabular-nums">
          {formatMetric(metric, previous)} · {previousName}
        </p>
      )}
      {marks.map(({ kind, words }) => (
        <p className="mt-0.5 max-w-56 text-ink-500 [overflow-wrap:anywhere]" key={kind}>
          {words}
        </p>
      ))}
    </div>
  );
}
