import { formatDay } from "../content/spanish";
import {
  compareDays,
  type Day,
  dayOf,
  endOfDay,
  formatIsoDay,
  parseIsoDay,
  startOfDay,
} from "../content/zone";

/** Whole days of the business zone, first and last included. */
export interface DayRange {
  readonly from: Day;
  readonly to: Day;
}

/** A period as the server is asked for it: two instants, both inclusive. */
export interface Period {
  readonly start: Date;
  readonly end: Date;
}

const defaultDays = 30;
const dayLength = 24 * 60 * 60 * 1000;

/** The last 30 days up to `now`. */
export function recentPeriod(now: Date): Period {
  return { start: new Date(now.getTime() - defaultDays * dayLength), end: now };
}

/** From the first millisecond of the first day to the last one of the last day. */
export function periodOf({ from, to }: DayRange): Period {
  return { start: startOfDay(from), end: endOfDay(to) };
}

/** The days that a period touches. */
export function daysOf({ start, end }: Period): DayRange {
  return { from: dayOf(start), to: dayOf(end) };
}

/** The days that the address names; undefined where it names none, or none that make sense. */
export function daysFromAddress(search: URLSearchParams): DayRange | undefined {
  const from = parseIsoDay(search.get("desde") ?? "");
  const to = parseIsoDay(search.get("hasta") ?? "");
  return from && to && compareDays(from, to) <= 0 ? { from, to } : undefined;
}

/** The address parameters that name these days; none for the default period. */
export function addressOfDays(days: DayRange | undefined): Record<string, string> {
  return days ? { desde: formatIsoDay(days.from), hasta: formatIsoDay(days.to) } : {};
}

/** 1 jul 2020 – 31 ago 2020; one day stands alone. */
export function formatDays({ from, to }: DayRange): string {
  return compareDays(from, to) === 0 ? formatDay(from) : `${formatDay(from)} – ${formatDay(to)}`;
}
