import { weekdays } from "./calendar";
import { clinic, clock, minutes, spansLine } from "./clinic";
import { formatDayOfMonth } from "./dates";
import { addDays, type Day, dayOf, formatIsoDay, wallClock } from "./zone";

/** Whether the clinic is open at an instant, and when it opens next if it is not. */
export interface Opening {
  readonly open: boolean;
  /** Absent where it is open, or does not open within the days that the site knows. */
  readonly next?: { readonly day: Day; readonly ahead: number; readonly time: string };
}

/**
 * How many days ahead the hours are sure: the server tells of days with other hours for six weeks,
 * and a page may stay open for one.
 */
const known = 5 * 7;

type Hours = Pick<typeof clinic, "hours" | "specialDays" | "zone">;

function spansOn(day: Day, { hours, specialDays }: Hours) {
  const date = formatIsoDay(day);
  const weekday = new Date(Date.UTC(day.year, day.month - 1, day.day)).getUTCDay();
  const { spans = [] } =
    specialDays.find(({ from, until }) => from <= date && date <= until) ??
    hours.find((line) => line.weekdays.includes(weekday)) ??
    {};
  return spans;
}

/** The opening hours of an instant's day in words: 8 a. m. – 7 p. m., or Cerrado. */
export function hoursOfDay(instant: Date, of: Hours = clinic): string {
  return spansLine(spansOn(dayOf(instant, of.zone), of));
}

/** What holds at an instant, by the clinic's own clock. */
export function openingAt(instant: Date, of: Hours = clinic): Opening {
  const { hour, minute } = wallClock(instant, of.zone);
  const now = hour * 60 + minute;
  const today = dayOf(instant, of.zone);
  const isNow = ({ opens, closes }: { opens: string; closes: string }) =>
    minutes(opens) <= now && now < minutes(closes);
  if (spansOn(today, of).some(isNow)) return { open: true };
  for (let ahead = 0; ahead < known; ahead += 1) {
    const day = addDays(today, ahead);
    const next = spansOn(day, of).find(({ opens }) => ahead > 0 || minutes(opens) > now);
    if (next) return { open: false, next: { day, ahead, time: next.opens } };
  }
  return { open: false };
}

/** A moment to come in words: hoy a la 1 p. m., mañana a las 8 a. m., el lunes a las 8 a. m. */
export function inWords({ day, ahead, time }: NonNullable<Opening["next"]>): string {
  const at = Math.floor(minutes(time) / 60) % 12 === 1 ? "a la" : "a las";
  return `${dayInWords(day, ahead)} ${at} ${clock(time)}`;
}

/** An instant to come, seen from another, in the same words. */
export function instantInWords(instant: Date, now: Date): string {
  const [day, today] = [dayOf(instant), dayOf(now)];
  const midnight = ({ year, month, day }: Day) => Date.UTC(year, month - 1, day);
  const ahead = Math.round((midnight(day) - midnight(today)) / 86_400_000);
  const { hour, minute } = wallClock(instant);
  return inWords({ day, ahead, time: `${hour}:${String(minute).padStart(2, "0")}` });
}

function dayInWords({ year, month, day }: Day, ahead: number): string {
  if (ahead === 0) return "hoy";
  if (ahead === 1) return "mañana";
  const weekday = new Date(Date.UTC(year, month - 1, day)).getUTCDay();
  const named = `el ${(weekdays[(weekday + 6) % 7] ?? "").toLowerCase()}`;
  return ahead < 7 ? named : `${named} ${formatDayOfMonth({ month, day })}`;
}
