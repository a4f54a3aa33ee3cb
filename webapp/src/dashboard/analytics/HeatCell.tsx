import type { CSSProperties } from "react";
import { weekdays } from "../../content/calendar";
import { analyticsTexts } from "../../content/dashboardCharts";
import { formatHour } from "../../content/dates";
import { formatCount } from "../../content/numbers";
import { classes } from "../../ui/classes";
import { type Cell, darknessOf, outlineOf, type Week } from "./heatmap";

interface HeatCellProps {
  readonly cell: Cell;
  readonly week: Week;
  readonly busiest: number;
  readonly dayRows: boolean;
  /** Whether Tab leads here; the arrow keys lead to the others. */
  readonly reachable: boolean;
  readonly onFocus: () => void;
  readonly onOpen: () => void;
}

/** One hour of the week; its borders outline the opening hours. */
export function HeatCell({
  cell,
  week,
  busiest,
  dayRows,
  reachable,
  onFocus,
  onOpen,
}: HeatCellProps) {
  const { weekday, hour, conversations, leads, appointments } = cell;
  const darkness = darknessOf(cell, busiest);
  const outline = outlineOf(week, cell);
  const [left, right, top, bottom] = dayRows
    ? [outline.earlier, outline.later, outline.dayBefore, outline.dayAfter]
    : [outline.dayBefore, outline.dayAfter, outline.earlier, outline.later];
  const label = analyticsTexts.heatmap.cell(weekdays[weekday - 1] ?? "", formatHour(hour), [
    conversations,
    leads,
    appointments,
  ]);
  return (
    <td
      className={classes(
        "border-transparent p-px",
        left && "border-l-2 border-l-ink-600",
        right && "border-r-2 border-r-ink-600",
        top && "border-t-2 border-t-ink-600",
        bottom && "border-b-2 border-b-ink-600",
      )}
    >
      <button
        aria-label={label}
        className="heat block h-7 w-full rounded-[0.1875rem] text-center leading-7 lg:h-9 lg:leading-9"
        data-cell={`${weekday}-${hour}`}
        onClick={onOpen}
        onFocus={onFocus}
        style={{ "--heat": `${Math.round(100 * darkness)}%` } as CSSProperties}
        tabIndex={reachable ? 0 : -1}
        title={label}
        type="button"
      >
        {conversations > 0 && formatCount(conversations)}
      </button>
    </td>
  );
}
