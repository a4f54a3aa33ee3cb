import { chartTexts } from "../../content/dashboardCharts";
import type { Bucket } from "./series";

interface LegendProps {
  readonly buckets: readonly Bucket[];
  readonly colour: string;
}

/** What each line of the chart is; only those that are drawn. */
export function Legend({ buckets, colour }: LegendProps) {
  const lines = [
    { text: chartTexts.current, stroke: colour, dash: undefined, shown: true },
    {
      text: chartTexts.partial,
      stroke: colour,
      dash: "4 3",
      shown: buckets.some(({ partial }) => partial),
    },
    {
      text: chartTexts.clipped,
      stroke: colour,
      dash: "4 3",
      shown: buckets.some(({ clipped, partial }) => clipped && !partial),
    },
    {
      text: chartTexts.previous,
      stroke: "var(--color-ink-400)",
      dash: undefined,
      shown: buckets.some(({ previous }) => previous !== null),
    },
    ...Object.entries(chartTexts.marks).map(([kind, { legend }]) => ({
      text: legend,
      stroke: "var(--color-ink-500)",
      dash: "2 3",
      shown: buckets.some(({ marks }) => marks.some((mark) => mark.kind === kind)),
    })),
  ];
  return lines
    .filter(({ shown }) => shown)
    .map(({ text, stroke, dash }) => (
      <span className="inline-flex items-center gap-1.5" key={text}>
        <svg aria-hidden="true" className="h-2 w-5" viewBox="0 0 20 8">
          <path d="M0 4h20" stroke={stroke} strokeDasharray={dash} strokeWidth="2" />
        </svg>
        {text}
      </span>
    ));
}
