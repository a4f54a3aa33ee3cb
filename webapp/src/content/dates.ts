/**
 * Dates of what the server renders as well, where there is no `Intl`: the months are words
 * of our own, and Panama's clock stands five hours behind UTC all year round.
 */
const months = [
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

const behindUtc = 5 * 60 * 60 * 1000;

/** The day of an instant in the clinic's zone, as `MMMM d, yyyy`: febrero 3, 2026. */
export function formatPublished(instant: string): string {
  const day = new Date(Date.parse(instant) - behindUtc);
  return `${months[day.getUTCMonth()]} ${day.getUTCDate()}, ${day.getUTCFullYear()}`;
}
