/**
 * Numbers and dates as the clinic's staff and patients read them. Numbers
 * follow es-PA (1,223.5). Months are words: short es-PA dates put the month
 * first, which readers of dd/mm would misread.
 */
import { clinic } from "./clinic";
import { months } from "./dates";
import { type Day, dayOf, wallClock } from "./zone";

const wholeNumber = new Intl.NumberFormat("es-PA", { maximumFractionDigits: 0 });
const oneDecimal = new Intl.NumberFormat("es-PA", {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

/** A count: 1,223. */
export function formatCount(value: number): string {
  return wholeNumber.format(value);
}

/** An average or rate to one decimal: 12.2. */
export function formatDecimal(value: number): string {
  return oneDecimal.format(value);
}

/** A percentage to one decimal: 4.0%. */
export function formatPercent(value: number): string {
  return `${formatDecimal(value)}%`;
}

/** A day with its month as a short word: 7 ago 2020. */
export function formatDay({ year, month, day }: Day): string {
  return `${day} ${months[month - 1]?.slice(0, 3)} ${year}`;
}

/** The time of day in the clinic's zone: 22:46. */
export function formatTime(instant: Date, zone: string = clinic.zone): string {
  const { hour, minute } = wallClock(instant, zone);
  return `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
}

/** Day and time in the clinic's zone: 7 ago 2020, 22:46. */
export function formatMoment(instant: Date, zone: string = clinic.zone): string {
  return `${formatDay(dayOf(instant, zone))}, ${formatTime(instant, zone)}`;
}
