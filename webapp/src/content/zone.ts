/**
 * Calendar days and instants of the clinic's zone, or of another one that is given; never of
 * the browser's own.
 */
import { clinic } from "./clinic";

/** A day of the calendar; month counts from 1. */
export interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** What a clock on the wall and the calendar beside it show in a zone. */
interface WallClock extends Day {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(zone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      calendar: "gregory",
      numberingSystem: "latn",
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    formatters.set(zone, formatter);
  }
  return formatter;
}

/** The fields of a time as it is written, in this order: year, month, day, hour, minute, second. */
type Fields = [number, number, number, number, number, number];

const fieldsOf = (written: string) => written.split(/\D+/).map(Number) as Fields;

/** What the wall clock in `zone` shows at an instant; that of the clinic's without a table of zones. */
export function wallClock(instant: Date, zone: string = clinic.zone): WallClock {
  if (zone === clinic.zone) {
    const at = instant.getTime();
    const [, ahead = 0] = clinic.offsets.findLast(([from = 0]) => from <= at) ?? [];
    const [year, month, day, hour, minute, second] = fieldsOf(new Date(at + ahead).toISOString());
    return { year, month, day, hour, minute, second };
  }
  const [month, day, year, hour, minute, second] = fieldsOf(formatterOf(zone).format(instant));
  return { year, month, day, hour, minute, second };
}

/** How far the wall clock in `zone` runs ahead of UTC at an instant, in milliseconds. */
function offsetAt(instant: number, zone: string): number {
  const { year, month, day, hour, minute, second } = wallClock(new Date(instant), zone);
  const shown = Date.UTC(year, month - 1, day, hour, minute, second);
  return shown - Math.floor(instant / 1000) * 1000;
}

/**
 * The instant at which the wall clock in `zone` shows `millisecondOfDay` on
 * `day`. A time that the zone skips is read with the offset before the gap.
 */
function instantAt(day: Day, millisecondOfDay: number, zone: string): Date {
  const shown = Date.UTC(day.year, day.month - 1, day.day) + millisecondOfDay;
  const guess = shown - offsetAt(shown, zone);
  return new Date(shown - offsetAt(guess, zone));
}

/** A day in milliseconds, where no clock is moved. */
export const dayLength = 24 * 60 * 60 * 1000;

/**
 * The first millisecond of a day in `zone`. Where clocks move at midnight that is not always
 * 00:00, and 00:00 may come twice: the offsets in force before and after are both tried.
 */
export function startOfDay(day: Day, zone: string = clinic.zone): Date {
  const shown = Date.UTC(day.year, day.month - 1, day.day);
  const starts = [shown - dayLength, shown + dayLength]
    .map((around) => new Date(shown - offsetAt(around, zone)))
    .filter((start) => compareDays(dayOf(start, zone), day) === 0);
  return starts.length > 0 ? new Date(Math.min(...starts.map(Number))) : instantAt(day, 0, zone);
}

/** The last millisecond of a day in `zone`: 23:59:59.999, or 22:59:59.999 where that is it. */
export function endOfDay(day: Day, zone: string = clinic.zone): Date {
  return new Date(startOfDay(addDays(day, 1), zone).getTime() - 1);
}

/** The instant of a day `yyyy-MM-dd` and a time `HH:mm` in `zone`; undefined for anything else. */
export function instantOf(
  isoDay: string,
  time: string,
  zone: string = clinic.zone,
): Date | undefined {
  const day = parseIsoDay(isoDay);
  const match = /^([01]\d|2[0-3]):([0-5]\d)/.exec(time);
  if (!day || !match) return undefined;
  return instantAt(day, (Number(match[1]) * 60 + Number(match[2])) * 60_000, zone);
}

/** The day that the calendar in `zone` shows at an instant. */
export function dayOf(instant: Date, zone: string = clinic.zone): Day {
  const { year, month, day } = wallClock(instant, zone);
  return { year, month, day };
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

/** Orders days: negative when `a` is earlier, 0 when they are the same. */
export function compareDays(a: Day, b: Day): number {
  return a.year - b.year || a.month - b.month || a.day - b.day;
}

/** A day as `yyyy-MM-dd`. */
export function formatIsoDay({ year, month, day }: Day): string {
  const pad = (value: number, width: number) => String(value).padStart(width, "0");
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
}

/** Reads `yyyy-MM-dd`; undefined for anything else, also for a day no calendar has. */
export function parseIsoDay(text: string): Day | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0] = match.slice(1).map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? { year, month, day } : undefined;
}
