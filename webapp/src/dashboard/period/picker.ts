/**
 * The calendar draws days as local dates of the browser. These functions carry
 * a day over and back by its fields alone, so that the browser's zone never
 * becomes part of an answer.
 */
import { compareDays, type Day } from "../../content/zone";
import type { DayRange } from "../shared/state/period";

/** What has been clicked so far. */
export interface Draft {
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/** The most days a period may have; the server refuses longer ones. */
export const maxDays = 400;

/** The browser's local date that shows this day. */
export function toCalendarDate({ year, month, day }: Day): Date {
  return new Date(year, month - 1, day);
}

/** The day that a local date of the browser shows. */
export function fromCalendarDate(date: Date): Day {
  return { year: date.getFullYear(), month: date.getMonth() + 1, day: date.getDate() };
}

/** The chosen days once both ends are there, in order; undefined before. */
export function chosenDays({ from, to }: Draft): DayRange | undefined {
  if (!from || !to) return undefined;
  const [a, b] = [fromCalendarDate(from), fromCalendarDate(to)];
  return compareDays(a, b) <= 0 ? { from: a, to: b } : { from: b, to: a };
}
