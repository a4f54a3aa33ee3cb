/**
 * What the reader looks at, as the address says it: it can be sent to a colleague, and the back
 * button leads through it. What an address does not say, or says wrongly, is the default.
 */
import type { Schemas } from "../../../api/client";

export type Interval = Schemas["Interval"];

export const metrics = ["conversations", "messages", "leads", "appointments"] as const;

/** A number that is also a line over time. */
export type Metric = (typeof metrics)[number];

/** What a period is compared with. */
export type Comparison = "previous" | "weekday" | "none";

/** Which of a period's conversations are meant, in the contract's names; what is missing does not matter. */
export interface Filters {
  readonly lead?: boolean;
  readonly appointment?: boolean;
  readonly consent?: boolean;
  readonly unanswered?: boolean;
  readonly failed?: boolean;
  /** Asks for attention, whatever the reason is; `flag` names one. */
  readonly flagged?: boolean;
  readonly flag?: Schemas["Flag"];
  readonly outOfHours?: boolean;
  readonly topic?: string;
  readonly unansweredTopic?: string;
  readonly model?: string;
  /** With `ratedTopic`, of a reply on that topic. */
  readonly rated?: Schemas["Rating"];
  readonly ratedTopic?: string;
  /** In seconds, as the next one. */
  readonly minDuration?: number;
  readonly maxDuration?: number;
  /** 1 is Monday. */
  readonly weekday?: number;
  readonly hour?: number;
  readonly q?: string;
}

export interface View {
  readonly tab: "conversations" | "analytics" | "contacts";
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

/** What the address calls things; staff read it, so it is Spanish. */
const tabNames = {
  conversations: "conversaciones",
  analytics: "analiticas",
  contacts: "contactos",
} as const;
const metricNames: Record<Metric, string> = {
  conversations: "conversaciones",
  messages: "mensajes",
  leads: "leads",
  appointments: "citas",
};
const intervalNames: Record<Interval, string> = {
  hour: "hora",
  day: "dia",
  week: "semana",
  month: "mes",
};
const compareNames: Record<Comparison, string> = {
  previous: "anterior",
  weekday: "semana",
  none: "no",
};
const contactKindNames: Record<Schemas["ContactKind"], string> = {
  lead: "chat",
  message: "formulario",
};
const contactStatusNames: Record<Schemas["ContactStatus"], string> = {
  new: "nuevo",
  contacted: "contactado",
  scheduled: "agendado",
  discarded: "descartado",
};
const everywhereName = "ambito";
const everywhereValue = "todo";
const conversationName = "conversacion";

type Value = boolean | string | number;

interface Parameter {
  readonly name: string;
  readonly read: (text: string) => Value | undefined;
  /** Where it is not the value itself. */
  readonly write?: (value: Value) => string;
}

const longest = 200;

function flag(name: string): Parameter {
  const values: Record<string, boolean> = { si: true, no: false };
  return { name, read: (value) => values[value], write: (value) => (value ? "si" : "no") };
}

function oneOf<Key extends string>(name: string, names: Record<Key, string>): Parameter {
  return {
    name,
    read: (value) => keyOf(names, value),
    write: (value) => names[value as Key],
  };
}

function text(name: string): Parameter {
  return { name, read: (value) => value.trim().slice(0, longest) || undefined };
}

function whole(name: string, least: number, most: number): Parameter {
  return {
    name,
    read(value) {
      const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
      return number >= least && number <= most ? number : undefined;
    },
  };
}

const longestDuration = 24 * 60 * 60;

const parameters: Record<keyof Filters, Parameter> = {
  lead: flag("lead"),
  appointment: flag("cita"),
  consent: flag("consentimiento"),
  unanswered: flag("sin-respuesta"),
  failed: flag("fallo"),
  flagged: flag("atencion"),
  flag: oneOf("motivo", {
    crisis: "crisis",
    emergency: "emergencia",
    urgency: "urgencia",
    complaint: "queja",
    callback: "contacto",
  }),
  outOfHours: flag("fuera-de-horario"),
  topic: text("tema"),
  unansweredTopic: text("tema-sin-respuesta"),
  model: text("modelo"),
  rated: oneOf("valoracion", { positive: "positiva", negative: "negativa" }),
  ratedTopic: text("tema-valorado"),
  minDuration: whole("duracion-desde", 0, longestDuration),
  maxDuration: whole("duracion-hasta", 0, longestDuration),
  weekday: whole("dia-semana", 1, 7),
  hour: whole("hora", 0, 23),
  q: text("buscar"),
};

/** The filters in the order in which they are shown. */
export const filterNames = Object.keys(parameters) as (keyof Filters)[];

function filtersFromAddress(search: URLSearchParams): Filters {
  const found: Partial<Record<keyof Filters, Value>> = {};
  for (const filter of filterNames) {
    const { name, read } = parameters[filter];
    const value = read(search.get(name) ?? "");
    if (value !== undefined) found[filter] = value;
  }
  if (found.rated === undefined) delete found.ratedTopic;
  return found as Filters;
}

/** The key under which `names` has a text. */
function keyOf<Key extends string>(names: Record<Key, string>, text: string | null) {
  return (Object.keys(names) as Key[]).find((key) => names[key] === text);
}

export function viewFromAddress(search: URLSearchParams): View {
  return {
    tab: keyOf(tabNames, search.get("vista")) ?? "conversations",
    metric: keyOf(metricNames, search.get("metrica")) ?? "conversations",
    interval: keyOf(intervalNames, search.get("intervalo")),
    compare: keyOf(compareNames, search.get("comparar")) ?? "previous",
    filters: filtersFromAddress(search),
    everywhere: search.get(everywhereName) === everywhereValue,
    conversation: search.get(conversationName)?.trim().slice(0, longest) || undefined,
    contactKind: keyOf(contactKindNames, search.get("origen")),
    contactStatus: keyOf(contactStatusNames, search.get("estado")),
  };
}

/** The address with another view in it; the period and whatever else it says stay. */
export function addressOfView(search: URLSearchParams, view: View): URLSearchParams {
  const said: Record<string, string | undefined> = {
    vista: view.tab === "conversations" ? undefined : tabNames[view.tab],
    metrica: view.metric === "conversations" ? undefined : metricNames[view.metric],
    intervalo: view.interval && intervalNames[view.interval],
    comparar: view.compare === "previous" ? undefined : compareNames[view.compare],
    [everywhereName]: view.everywhere ? everywhereValue : undefined,
    [conversationName]: view.conversation,
    origen: view.contactKind && contactKindNames[view.contactKind],
    estado: view.contactStatus && contactStatusNames[view.contactStatus],
  };
  for (const filter of filterNames) {
    const { name, write = String } = parameters[filter];
    const value = view.filters[filter];
    said[name] = value === undefined ? undefined : write(value);
  }
  const address = new URLSearchParams(search);
  for (const [name, value] of Object.entries(said)) {
    if (value === undefined) address.delete(name);
    else address.set(name, value);
  }
  return address;
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
