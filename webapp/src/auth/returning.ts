import { beginsToday } from "../ui/beginning";

/**
 * Where a login leads back to. It lies in the state of the history's entry, which no link
 * can set, and is a view of the dashboard whatever it holds.
 */
const key = "dashboard";

/** The state of a login that leads back to this view of the dashboard. */
export function returnTo(search: string): object | null {
  return search ? { [key]: search } : null;
}

/** The address that the state of a history's entry leads back to. */
export function returnAddress(state: unknown): string {
  const search: unknown = state instanceof Object ? Reflect.get(state, key) : undefined;
  const view = new URLSearchParams(typeof search === "string" ? search : "").toString();
  if (view) return `/dashboard?${view}`;
  return beginsToday() ? "/dashboard/hoy" : "/dashboard";
}
