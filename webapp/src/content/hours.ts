import { clinic, minutes, type OpeningHours } from "./clinic";
import { dayOf, formatIsoDay, wallClock } from "./zone";

/** Whether the clinic is open at an instant, by its own clock. */
export function isOpen(
  instant: Date,
  hours: readonly OpeningHours[] = clinic.hours,
  specialDays = clinic.specialDays,
): boolean {
  const { weekday, hour, minute } = wallClock(instant);
  const now = hour * 60 + minute;
  const today = formatIsoDay(dayOf(instant));
  const { spans } =
    specialDays.find(({ from, until }) => from <= today && today <= until) ??
    hours.find(({ weekdays }) => weekdays.includes(weekday)) ??
    {};
  return Boolean(
    spans?.some(({ opens, closes }) => minutes(opens) <= now && now < minutes(closes)),
  );
}
