/** Dates of what the server renders as well, where `Intl` knows zones and no languages. */
import { dayOf } from "./zone";

export const months = [
  "enero",
  "febrero",
  "marzo",
  "abril",
  "mayo",
  "junio",
  "julio",
  "agosto",
  "septiembre",
  "octubre",
  "noviembre",
  "diciembre",
] as const;

/** The day of an instant in the clinic's zone, as `MMMM d, yyyy`: febrero 3, 2026. */
export function formatPublished(instant: string): string {
  const { year, month, day } = dayOf(new Date(instant));
  return `${months[month - 1]} ${day}, ${year}`;
}
