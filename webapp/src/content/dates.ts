/**
 * Dates and times as the clinic's staff and patients read them. Months are words: some
 * countries' short dates put the month first, which readers of dd/mm would misread. Written without `Intl`'s
 * languages, which the server that renders the site lacks.
 */
import { months } from "./calendar";
import { type Day, dayOf, wallClock } from "./zone";

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}

function shortMonth({ month }: Day): string | undefined {
  return months[month - 1]?.slice(0, 3);
}

/** A day without its year: 7 ago. */
export function formatShortDay(day: Day): string {
  return `${day.day} ${shortMonth(day)}`;
}

/** A day with its month as a short word: 7 ago 2020. */
export function formatDay(day: Day): string {
  return `${formatShortDay(day)} ${day.year}`;
}

/** A day without its year, in words: 7 de agosto. */
export function formatDayOfMonth({ month, day }: Pick<Day, "month" | "day">): string {
  return `${day} de ${months[month - 1]}`;
}

/** The month of a day: ago 2020. */
export function formatMonth(day: Day): string {
  return `${shortMonth(day)} ${day.year}`;
}

/** The hour that begins: 14:00. */
export function formatHour(hour: number): string {
  return `${twoDigits(hour)}:00`;
}

/** The time of day in the clinic's zone, or in another one: 22:46. */
export function formatTime(instant: Date, zone?: string): string {
  const { hour, minute } = wallClock(instant, zone);
  return `${twoDigits(hour)}:${twoDigits(minute)}`;
}

/** Day and time in the clinic's zone, or in another one: 7 ago 2020, 22:46. */
export function formatMoment(instant: Date, zone?: string): string {
  return `${formatDay(dayOf(instant, zone))}, ${formatTime(instant, zone)}`;
}

/** The day of an instant in the clinic's zone, as `MMMM d, yyyy`: febrero 3, 2026. */
export function formatPublished(instant: string): string {
  const { year, month, day } = dayOf(new Date(instant));
  return `${months[month - 1]} ${day}, ${year}`;
}
