import { chartTexts } from "../../content/dashboardCharts";
import { classes } from "../../ui/classes";
import type { Interval } from "../shared/state/address";

interface IntervalsProps {
  readonly offered: readonly Interval[];
  readonly selected: Interval;
  readonly onSelect: (interval: Interval) => void;
}

/** The buckets that make sense for the period. */
export function Intervals({ offered, selected, onSelect }: IntervalsProps) {
  return (
    <fieldset className="no-print flex gap-0.5 rounded-lg bg-sand-100 p-0.5">
      <legend className="sr-only">{chartTexts.intervalLabel}</legend>
      {offered.map((interval) => (
        <button
          aria-pressed={interval === selected}
          className={classes(
            "min-h-8 rounded-md px-3 font-medium text-sm transition-colors",
            interval === selected
              ? "bg-white text-ink-900 shadow-card"
              : "text-ink-600 hover:text-ink-900",
          )}
          key={interval}
          onClick={() => onSelect(interval)}
          type="button"
        >
          {chartTexts.intervals[interval]}
        </button>
      ))}
    </fieldset>
  );
}
