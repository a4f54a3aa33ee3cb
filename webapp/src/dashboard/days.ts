/** Arithmetic on calendar days, which know no zone and no clock. */
import { compareDays, type Day } from "../content/zone";
import type { DayRange } from "./period";

const dayLength = 24 * 60 * 60 * 1000;

function ordinalOf({ year, month, day }: Day): number {
  return Date.UTC(year, month - 1, day) / dayLength;
}

/** The day that the calendar shows for fields which may overflow: the 0th is the last of the month before. */
export function dayAt(year: number, month: number, day: number): Day {
  const date = new Date(Date.UTC(year, month - 1, day));
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** The day `count` days later, or earlier where it is negative. */
export function addDays({ year, month, day }: Day, count: number): Day {
  return dayAt(year, month, day + count);
}

/** How many days a range has, both ends counted. */
export function countDays({ from, to }: DayRange): number {
  return ordinalOf(to) - ordinalOf(from) + 1;
}

export function sameDays(a: DayRange, b: DayRange): boolean {
  const sameStart = a.since?.getTime() === b.since?.getTime() && compareDays(a.from, b.from) === 0;
  return sameStart && compareDays(a.to, b.to) === 0;
}
