import { beginsToday } from "../ui/beginning";

/**
 * Where a login leads back to. It lies in the state of the history's entry, which no link
 * can set, and is a view of the dashboard whatever it holds.
 */
const key = "dashboard";

/** The state of a login that leads back to this view of a page of the dashboard. */
export function returnTo(path: string, search: string): object | null {
  return path === "/dashboard" && !search
    ? null
    : { [key]: `${path}?${new URLSearchParams(search)}` };
}

/** The address that the state of a history's entry leads back to. */
export function returnAddress(state: unknown): string {
  const address: unknown = state instanceof Object ? Reflect.get(state, key) : undefined;
  const known = /^(\/dashboard(?:\/[a-z]+)*)(?:\?(.*))?$/.exec(
    typeof address === "string" ? address : "",
  );
  const [, path = "/dashboard", search = ""] = known ?? [];
  const view = new URLSearchParams(search).toString();
  if (view) return `${path}?${view}`;
  return path === "/dashboard" && beginsToday() ? "/dashboard/hoy" : path;
}
