/** Which conversations are meant: as the address says it, and in words. */
import type { paths } from "../../../api/schema.gen";
import { type Flag, filterTexts } from "../../../content/dashboardFilters";
import { integer, keys, oneOf, type Parameter, read, text, write, yesNo } from "./parameters";

const texts = filterTexts;

type Parameters = NonNullable<paths["/api/dashboard/kpis"]["parameters"]["query"]>;

/** Which of a period's conversations are meant, as the contract says it; what is missing does not matter. */
export type Filters = Readonly<Omit<Parameters, "startDate" | "endDate">>;

const longestDuration = 24 * 60 * 60;

const parameters: Record<keyof Filters, Parameter> = {
  lead: yesNo("lead"),
  appointment: yesNo("cita"),
  consent: yesNo("consentimiento"),
  unanswered: yesNo("sin-respuesta"),
  failed: yesNo("fallo"),
  flagged: yesNo("atencion"),
  flag: oneOf("motivo", {
    crisis: "crisis",
    emergency: "emergencia",
    urgency: "urgencia",
    complaint: "queja",
    callback: "contacto",
  }),
  outOfHours: yesNo("fuera-de-horario"),
  topic: text("tema"),
  unansweredTopic: text("tema-sin-respuesta"),
  model: text("modelo"),
  rated: oneOf("valoracion", { positive: "positiva", negative: "negativa" }),
  ratedTopic: text("tema-valorado"),
  minDuration: integer("duracion-desde", 0, longestDuration),
  maxDuration: integer("duracion-hasta", 0, longestDuration),
  weekday: integer("dia-semana", 1, 7),
  hour: integer("hora", 0, 23),
  q: text("buscar"),
};

/** The filters in the order in which they are shown. */
export const filterNames = keys(parameters);

export function filtersFromAddress(address: URLSearchParams): Filters {
  const found = read(parameters, address);
  // Without a rating, its topic means nothing.
  if (found.rated === undefined) delete found.ratedTopic;
  return found as Filters;
}

/** Says the filters in the address. */
export function writeFilters(filters: Filters, address: URLSearchParams): void {
  write(parameters, filters, address);
}

/** The filters with one of them set, or removed where `value` is undefined. */
export function withFilter<Name extends keyof Filters>(
  filters: Filters,
  name: Name,
  value: Filters[Name] | undefined,
): Filters {
  const { [name]: _, ...others } = filters;
  return (value === undefined ? others : { ...others, [name]: value }) as Filters;
}

export function hasFilters(filters: Filters): boolean {
  return Object.keys(filters).length > 0;
}

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
