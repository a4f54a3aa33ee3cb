import { clinic, minutes, type OpeningHours } from "./clinic";
import { wallClock } from "./zone";

/** Whether the clinic is open at an instant, by its own clock. */
export function isOpen(instant: Date, hours: readonly OpeningHours[] = clinic.hours): boolean {
  const { weekday, hour, minute } = wallClock(instant);
  const now = hour * 60 + minute;
  return hours.some(
    ({ weekdays, spans }) =>
      weekdays.includes(weekday) &&
      spans.some(({ opens, closes }) => minutes(opens) <= now && now < minutes(closes)),
  );
}
