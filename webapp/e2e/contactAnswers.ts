/** What the server says about contacts. */
import type { components } from "../src/api/schema.gen";

type Schemas = components["schemas"];

const newest = Date.parse("2026-11-20T22:41:00Z");
const statuses = ["new", "contacted", "scheduled", "discarded"] as const;

/** Contacts, newest first, one every three hours. */
export function contacts(count: number): Schemas["Contact"][] {
  return Array.from({ length: count }, (_, index): Schemas["Contact"] => {
    const status = statuses[index % 4] ?? "new";
    const cameAt = new Date(newest - index * 3 * 60 * 60_000).toISOString();
    const shared = {
      id: `k${index}`,
      cameAt,
      name: `Persona ${index}`,
      topics: [],
      reasons: [],
      erased: false,
      restricted: false,
      state: { status, ...(status !== "new" && { changedAt: cameAt }) },
      notes: [],
      withdrawn: false,
      requests: [],
    };
    if (index % 3 === 2) {
      return {
        ...shared,
        kind: "message",
        email: `persona${index}@example.com`,
        ...(index === 2 && { phone: "+50769004321" }),
        message: "Buenas, ¿atienden los sábados?",
      };
    }
    return {
      ...shared,
      kind: "lead",
      question: "¿Cuánto cuestan los brackets?",
      reasons: [
        { reason: "lead", at: cameAt },
        {
          reason: "complaint",
          at: cameAt,
          ...(status !== "new" && { attendedAt: cameAt, attendedBy: "ana@clinica.example" }),
        },
      ],
      phone: "+50769001234",
      specialty: "ortodoncia",
      ...(status === "scheduled" && {
        appointment: {
          slot: "2026-11-24T15:00:00.000Z",
          specialty: "ortodoncia",
          source: "chat" as const,
          cancelled: false,
        },
      }),
    };
  });
}

const script = '<img src=x onerror="document.title=1"><script>alert(1)</script>';

/** A contact that tries everything. */
export const hostile: Schemas["Contact"] = {
  kind: "message",
  id: "hostile",
  cameAt: "2026-11-20T23:00:00.000Z",
  name: `\u202e${script} ${"👩‍⚕️".repeat(40)}`,
  phone: "javascript:alert(1)",
  email: `"${script}"@example.com`,
  message: `${script}\n${"مرحبا بالعالم ".repeat(30)}${"👍🏽".repeat(200)}${"x".repeat(400)}`,
  topics: [],
  reasons: [],
  state: { status: "new" },
  notes: [
    {
      id: "n1",
      text: `${script} \u202eodnum le${"x".repeat(300)}`,
      writtenAt: "2026-11-20T23:05:00.000Z",
      author: `"${script}"@example.com`,
    },
  ],
  erased: false,
  restricted: false,
  withdrawn: false,
  requests: [],
};

export const contactCounts: Schemas["ContactCounts"] = {
  new: 15,
  contacted: 15,
  scheduled: 15,
  discarded: 15,
  openRequests: 0,
  lastPosition: 48200,
  dataThrough: { position: 48211, time: "2026-11-20T23:41:07.120Z" },
};

/** What is kept of a person. */
export const person: Schemas["Person"] = {
  records: [
    {
      kind: "message",
      id: "m1",
      cameAt: "2026-11-20T22:50:00Z",
      foundBy: "phone",
      foundIn: "k0",
      texts: 1,
      bookings: 0,
      notes: 0,
      erased: false,
      restricted: false,
    },
    {
      kind: "conversation",
      id: "k0",
      cameAt: "2026-11-20T22:41:00Z",
      foundBy: "id",
      texts: 12,
      bookings: 1,
      notes: 2,
      erased: false,
      restricted: false,
    },
  ],
  appointment: "2026-11-24T15:00:00Z",
};
