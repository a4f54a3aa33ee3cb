/** The cells of the week laid out, and the outline of the opening hours around them. */
import type { Schemas } from "../../api/client";

export type Cell = Schemas["HeatmapCell"];

/** Cells by weekday (Monday first) and hour. */
export type Week = readonly (readonly Cell[])[];

export function weekOf(cells: readonly Cell[]): Week {
  const days: Cell[][] = Array.from({ length: 7 }, () => []);
  for (const cell of cells) {
    const day = days[cell.weekday - 1];
    if (day) day[cell.hour] = cell;
  }
  return days;
}

/** How dark a cell is, 0 to 1; the busiest is 1. */
export function darknessOf(cell: Cell, busiest: number): number {
  return busiest === 0 ? 0 : Math.sqrt(cell.conversations / busiest);
}

export function busiestOf(cells: readonly Cell[]): number {
  return cells.reduce((most, { conversations }) => Math.max(most, conversations), 0);
}

function isOpen(week: Week, day: number, hour: number): boolean {
  return (week[day]?.[hour]?.openMinutes ?? 0) > 0;
}

interface Outline {
  readonly earlier: boolean;
  readonly later: boolean;
  readonly dayBefore: boolean;
  readonly dayAfter: boolean;
}

/** On which sides of an open cell the opening hours end; none for a closed one. */
export function outlineOf(week: Week, { weekday, hour }: Cell): Outline {
  const day = weekday - 1;
  const open = isOpen(week, day, hour);
  return {
    earlier: open && !isOpen(week, day, hour - 1),
    later: open && !isOpen(week, day, hour + 1),
    dayBefore: open && !isOpen(week, day - 1, hour),
    dayAfter: open && !isOpen(week, day + 1, hour),
  };
}
