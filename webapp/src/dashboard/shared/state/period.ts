import { formatDay, formatMoment } from "../../../content/dates";
import {
  compareDays,
  type Day,
  dayLength,
  dayOf,
  endOfDay,
  formatIsoDay,
  parseIsoDay,
  startOfDay,
} from "../../../content/zone";

/** Whole days of the business zone, first and last included. */
export interface DayRange {
  readonly from: Day;
  readonly to: Day;
  /** The instant from which the first day counts; undefined for all of it. */
  readonly since?: Date;
}

/** A period as the server is asked for it: two instants, both inclusive. */
export interface Period {
  readonly start: Date;
  readonly end: Date;
}

const defaultDays = 30;

/** The last 30 days up to `now`. */
export function recentPeriod(now: Date): Period {
  return { start: new Date(now.getTime() - defaultDays * dayLength), end: now };
}

/** From the first millisecond of the first day, or from `since`, to the last one of the last day. */
export function periodOf({ from, to, since }: DayRange): Period {
  return { start: since ?? startOfDay(from), end: endOfDay(to) };
}

/** The days of a range from an instant on. */
export function daysSince(since: Date, { to }: DayRange): DayRange {
  return { from: dayOf(since), to, since };
}

/** The days that a period touches. */
export function daysOf({ start, end }: Period): DayRange {
  return { from: dayOf(start), to: dayOf(end) };
}

function ordinalOf({ year, month, day }: Day): number {
  return Date.UTC(year, month - 1, day) / dayLength;
}

/** How many days a range has, both ends counted. */
export function countDays({ from, to }: DayRange): number {
  return ordinalOf(to) - ordinalOf(from) + 1;
}

export function sameDays(a: DayRange, b: DayRange): boolean {
  const sameStart = a.since?.getTime() === b.since?.getTime() && compareDays(a.from, b.from) === 0;
  return sameStart && compareDays(a.to, b.to) === 0;
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The days that the address names; undefined where it names none, or none that make sense. */
export function daysFromAddress(search: URLSearchParams): DayRange | undefined {
  const begin = search.get("desde") ?? "";
  const since = instant.test(begin) && Date.parse(begin) ? new Date(begin) : undefined;
  const from = since ? dayOf(since) : parseIsoDay(begin);
  const to = parseIsoDay(search.get("hasta") ?? "");
  if (!from || !to || compareDays(from, to) > 0) return undefined;
  return { from, to, ...(since && { since }) };
}

/** The address parameters that name these days; none for the default period. */
export function addressOfDays(days: DayRange | undefined): Record<string, string> {
  if (!days) return {};
  const { from, to, since } = days;
  return { desde: since?.toISOString() ?? formatIsoDay(from), hasta: formatIsoDay(to) };
}

/** A period that is shown. */
interface ShownPeriod {
  /** Two with the same name have the same conversations, until there is new data. */
  readonly name: string;
  /** The days that it touches. */
  readonly days: DayRange;
  /** The period as of a moment; one that goes up to now grows with it. */
  readonly asOf: (moment: Date) => Period;
}

/** The period of the chosen days, or else the default one as it was when it was asked for. */
export function shownPeriod(chosen: DayRange | undefined, asked: Date): ShownPeriod {
  if (!chosen) {
    const days = daysOf(recentPeriod(asked));
    return { name: asked.toISOString(), days, asOf: recentPeriod };
  }
  const period = periodOf(chosen);
  const name = Object.values(addressOfDays(chosen)).join();
  return { name, days: chosen, asOf: () => period };
}

/** 1 jul 2020 – 31 ago 2020; one day stands alone. */
export function formatDays({ from, to, since }: DayRange): string {
  const begin = since ? formatMoment(since) : formatDay(from);
  return !since && compareDays(from, to) === 0 ? begin : `${begin} – ${formatDay(to)}`;
}
