import type { Comparison } from "./state/address";
import type { Filters } from "./state/filters";
import type { Period } from "./state/period";

/** Every query of the dashboard stands under this key. */
export const dashboardKey = "dashboard";

/**
 * The `meta` of what is recorded when it is read: a transcript, or how somebody can be reached.
 * It is not asked for anew with every piece of news, which would be one itself.
 */
export const recorded = { recorded: true } as const;

/** The conversations that a question is about. */
export interface Scope {
  /** Names the period: two questions with the same name have the same answer, until there is new data. */
  readonly name: string;
  /** The period as of now; one that goes up to now grows while it is watched. */
  readonly period: () => Period;
  readonly filters: Filters;
}

/** The parameters that name these conversations to the server. */
export function parametersOf({ period, filters }: Scope) {
  const { start, end } = period();
  return { startDate: start.toISOString(), endDate: end.toISOString(), ...filters };
}

/** Names a question about conversations, `more` being what else it asks. */
export function keyOf(call: string, { name, filters }: Scope, ...more: unknown[]) {
  return [dashboardKey, call, name, filters, ...more];
}

/** The parameter that names what is compared with. */
export function comparing(compare: Comparison) {
  return compare === "none" ? {} : { compare };
}
