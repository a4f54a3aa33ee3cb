/**
 * What the reader looks at, as the address says it: it can be sent to a colleague, and the back
 * button leads through it. What an address does not say, or says wrongly, is the default.
 */
import { useMemo } from "react";
import { useSearchParams } from "wouter";
import type { Schemas } from "../../../api/client";
import { type Metric, metricWords } from "../../../content/dashboardKpis";
import { type Filters, filtersFromAddress, writeFilters } from "./filters";
import { oneOf, type Parameter, read, text, write } from "./parameters";
import { addressOfDays, type DayRange, daysFromAddress } from "./period";

export type Interval = Schemas["Interval"];

/** What a period is compared with. */
export type Comparison = "previous" | "weekday" | "year" | "none";

export interface View {
  readonly tab: "conversations" | "analytics" | "contacts" | "questions";
  readonly metric: Metric;
  /** Undefined where the period decides. */
  readonly interval: Interval | undefined;
  readonly compare: Comparison;
  readonly filters: Filters;
  /** Whether the filters are about the numbers too, and not about the list alone. */
  readonly everywhere: boolean;
  /** The conversation whose transcript is open. */
  readonly conversation: string | undefined;
  /** Which contacts are listed; undefined for all. */
  readonly contactKind: Schemas["ContactKind"] | undefined;
  readonly contactStatus: Schemas["ContactStatus"] | undefined;
}

const defaults: View = {
  tab: "conversations",
  metric: "conversations",
  interval: undefined,
  compare: "previous",
  filters: {},
  everywhere: false,
  conversation: undefined,
  contactKind: undefined,
  contactStatus: undefined,
};

/** What the address calls things; staff read it, so it is Spanish. */
const parameters: Record<Exclude<keyof View, "filters">, Parameter> = {
  tab: oneOf<View["tab"]>("vista", {
    conversations: "conversaciones",
    analytics: "analiticas",
    contacts: "contactos",
    questions: "preguntas",
  }),
  metric: oneOf("metrica", metricWords),
  interval: oneOf<Interval>("intervalo", {
    hour: "hora",
    day: "dia",
    week: "semana",
    month: "mes",
  }),
  compare: oneOf<Comparison>("comparar", {
    previous: "anterior",
    weekday: "semana",
    year: "anual",
    none: "no",
  }),
  everywhere: { name: "ambito", read: (value) => value === "todo", write: () => "todo" },
  conversation: text("conversacion"),
  contactKind: oneOf<Schemas["ContactKind"]>("origen", { lead: "chat", message: "formulario" }),
  contactStatus: oneOf<Schemas["ContactStatus"]>("estado", {
    new: "nuevo",
    contacted: "contactado",
    scheduled: "agendado",
    discarded: "descartado",
  }),
};

export function viewFromAddress(address: URLSearchParams): View {
  const parsed = read(parameters, address) as Partial<View>;
  return { ...defaults, ...parsed, filters: filtersFromAddress(address) };
}

/** The address with another view in it; the period and whatever else it says stay. */
export function addressOfView(
  before: URLSearchParams,
  { filters, ...view }: View,
): URLSearchParams {
  const unusual = Object.entries(view).filter(
    ([name, value]) => value !== defaults[name as keyof View],
  );
  const address = new URLSearchParams(before);
  write(parameters, Object.fromEntries(unusual), address);
  writeFilters(filters, address);
  return address;
}

/** The address with other days in it, which come first. An interval was chosen for those before. */
export function withDays(before: URLSearchParams, days: DayRange | undefined): URLSearchParams {
  const others = new URLSearchParams(before);
  for (const name of ["desde", "hasta", parameters.interval.name]) others.delete(name);
  return new URLSearchParams({ ...addressOfDays(days), ...Object.fromEntries(others) });
}

const noFilters: Filters = {};

/** The filters that the numbers are about. */
export function numbersFilters({ everywhere, filters }: View): Filters {
  return everywhere ? filters : noFilters;
}

/** The address of the list of conversations that a number counts, within these days where they are given. */
export function withDrillDown(
  before: URLSearchParams,
  filters: Filters,
  days?: DayRange,
): URLSearchParams {
  const view = viewFromAddress(before);
  const narrowed = { ...numbersFilters(view), ...filters };
  const after = addressOfView(before, { ...view, tab: "conversations", filters: narrowed });
  return days ? withDays(after, days) : after;
}

/** What the address says, and the ways to change it. */
export function useAddress() {
  const [search, setSearch] = useSearchParams();
  const address = search.toString();
  const parsed = useMemo(() => {
    const parameters = new URLSearchParams(address);
    /** The days that the address names; undefined for the default period. */
    const chosen = daysFromAddress(parameters);
    return { view: viewFromAddress(parameters), chosen };
  }, [address]);

  return {
    ...parsed,
    /** Another period; undefined is the default one. */
    pick: (days: DayRange | undefined) => setSearch((before) => withDays(before, days)),
    /** Changes the view: a step that the back button takes back, unless it replaces. */
    setView(change: Partial<View>, how: "step" | "replace" = "step") {
      setSearch((before) => addressOfView(before, { ...viewFromAddress(before), ...change }), {
        replace: how === "replace",
      });
    },
    /** Lists the conversations that a number counts. */
    drillDown: (filters: Filters, days?: DayRange) =>
      setSearch((before) => withDrillDown(before, filters, days)),
  };
}
