/** What the server says about the people who wait to be called. */
import type { Route } from "@playwright/test";
import type { components } from "../src/api/schema.gen";

type Schemas = components["schemas"];
type Person = Schemas["WaitingPerson"];

const hour = 3_600_000;
const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString();

export const crisis: Person = {
  kind: "lead",
  id: "w-crisis",
  conversation: "w-crisis",
  since: ago(2 * hour),
  reasons: [{ reason: "crisis", at: ago(2 * hour) }],
  question: "La verdad ya no quiero vivir",
  topics: [],
  restricted: false,
};

/** People who wait, the one who waits longest first. */
export function waitingPeople(count: number): Person[] {
  return Array.from({ length: count }, (_, index): Person => {
    const since = ago((count - index) * 24 * hour);
    const form = index % 3 === 2;
    return {
      kind: form ? "message" : "lead",
      id: `w${index}`,
      ...(!form && { conversation: `w${index}` }),
      since,
      reasons: [{ reason: form ? "message" : "lead", at: since }],
      name: `Persona ${index}`,
      phone: `+5076900${String(1000 + index)}`,
      question: "¿Cuánto cuesta un implante?",
      topics: form ? [] : ["implantes", "precios"],
      restricted: false,
    };
  });
}

export const listOf = (
  people: readonly Person[],
  more: Partial<Schemas["WaitingList"]> = {},
): Schemas["WaitingList"] => ({
  waiting: people.length,
  grave: people.filter(({ reasons }) => reasons[0]?.reason === "crisis").length,
  putOff: 0,
  firstContact: 5400,
  firstContactBy: [
    { weekday: 1, seconds: 5400, contacts: 12 },
    { weekday: 7, seconds: 61_200, contacts: 3 },
    { by: "recepcion@clinica.example", seconds: 3600, contacts: 15 },
  ],
  ...(people.length > 0 && {
    oldest: people.map(({ since }) => since).sort()[0] ?? "",
  }),
  people: [...people],
  position: 48211,
  ...more,
});

/** The queue as the server cuts it. */
export function queue(people: readonly Person[]) {
  return async (route: Route) => {
    const { searchParams } = new URL(route.request().url());
    const from = Number(searchParams.get("offset") ?? 0);
    const wanted = people.filter(({ phone }) => phone || searchParams.get("phone") !== "true");
    const to = from + Number(searchParams.get("limit") ?? 50);
    await route.fulfill({ json: listOf(people, { people: wanted.slice(from, to) }) });
  };
}

/** Two of whom one speaks of a danger, one is held, and one whose data may not be used. */
export const everybody: readonly Person[] = [
  crisis,
  ...waitingPeople(4),
  {
    ...(waitingPeople(1)[0] as Person),
    id: "held",
    name: "Atendida Ahora",
    heldBy: "berta@clinica.example",
    heldByMe: false,
    last: { id: "a", outcome: "begun", at: ago(60_000), dueAt: ago(-9 * 60_000) },
  },
  {
    kind: "message",
    id: "closed",
    since: ago(hour),
    reasons: [
      { reason: "request", at: ago(hour) },
      { reason: "message", at: ago(50 * hour), attendedAt: ago(40 * hour), attendedBy: "ana@x.co" },
    ],
    topics: [],
    restricted: true,
  },
];
