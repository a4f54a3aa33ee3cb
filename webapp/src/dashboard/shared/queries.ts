import type { Comparison } from "./state/address";
import type { Filters } from "./state/filters";
import type { DayRange, Period } from "./state/period";

/** The first key of every query of the dashboard. */
export const dashboardKey = "dashboard";

/**
 * The `meta` of queries whose reading is audited: a transcript, or how somebody can be reached.
 * They are not repeated with every new event: the repetition would record one itself.
 */
export const audited = { audited: true } as const;

/** The conversations that a question is about. */
export interface Cohort {
  /** Names the period: two questions with the same name have the same answer, until there is new data. */
  readonly name: string;
  /** The days that the period touches. */
  readonly days: DayRange;
  /** The period as of now; one that goes up to now grows while it is watched. */
  readonly period: () => Period;
  readonly filters: Filters;
}

/** The parameters that name these conversations to the server. */
export function parametersOf({ period, filters }: Cohort) {
  const { start, end } = period();
  return { startDate: start.toISOString(), endDate: end.toISOString(), ...filters };
}

/** Names a question about conversations, `more` being what else it asks. */
export function keyOf(call: string, { name, filters }: Cohort, ...more: unknown[]) {
  return [dashboardKey, call, name, filters, ...more];
}

/** The parameters that say something: an empty value asks for nothing. */
export function given<Values extends object>(values: Values) {
  const said = Object.entries(values).filter(([, value]) => value);
  return Object.fromEntries(said) as { [Name in keyof Values]?: NonNullable<Values[Name]> };
}

/** The parameter that names what is compared with. */
export function comparing(compare: Comparison) {
  return compare === "none" ? {} : { compare };
}
