/** The filters in words, and the lengths of conversation that staff choose from. */
import { type Flag, filterTexts } from "../../../content/dashboardFilters";
import { type Filters, withFilter } from "./address";

const texts = filterTexts;

/** What one filter asks for, in words; undefined where it is not set. */
export function filterLabel(filters: Filters, name: keyof Filters): string | undefined {
  const value = filters[name];
  if (value === undefined) return undefined;
  if (typeof value === "boolean") {
    return texts[name as "lead"][value ? "true" : "false"];
  }
  const word = texts[name as "topic"] as (value: string | number) => string;
  return word(value);
}

export const durations = ["short", "medium", "long"] as const;

export type DurationName = (typeof durations)[number];

const minute = 60;

/** The lengths in seconds; both ends are inclusive. */
const durationFilters: Record<DurationName, Pick<Filters, "minDuration" | "maxDuration">> = {
  short: { maxDuration: minute },
  medium: { minDuration: minute, maxDuration: 5 * minute },
  long: { minDuration: 5 * minute },
};

/** The filters with another length of conversation; undefined is any length. */
export function withDuration(filters: Filters, name: DurationName | undefined): Filters {
  const { minDuration: _, maxDuration: __, ...others } = filters;
  return name ? { ...others, ...durationFilters[name] } : others;
}

/** The named length that the filters ask for. */
export function durationOf({ minDuration, maxDuration }: Filters): DurationName | undefined {
  return durations.find((name) => {
    const wanted = durationFilters[name];
    return wanted.minDuration === minDuration && wanted.maxDuration === maxDuration;
  });
}

/** The filters with another rating; without one, its topic means nothing. */
export function withRated(filters: Filters, rated: Filters["rated"]): Filters {
  const { rated: _, ratedTopic: __, ...others } = filters;
  return rated ? { ...others, rated } : others;
}

/** The filters with another reason for attention: any, one of them, or undefined for none asked for. */
export function withAttention(filters: Filters, asked: Attention | undefined): Filters {
  const { flagged: _, flag: __, ...others } = filters;
  if (!asked) return others;
  return asked === "any" ? { ...others, flagged: true } : { ...others, flag: asked };
}

export type Attention = Flag | "any";

/** The filters without one of them. */
export function without(filters: Filters, name: keyof Filters): Filters {
  return name === "rated" ? withRated(filters, undefined) : withFilter(filters, name, undefined);
}
