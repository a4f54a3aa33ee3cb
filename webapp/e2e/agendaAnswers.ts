import type { components } from "../src/api/schema.gen";

type Schemas = components["schemas"];
type Appointment = Schemas["AgendaAppointment"];
type Row = Schemas["OutcomeRow"];

const everyOutcome: Appointment["possibleOutcomes"] = [
  "came",
  "missed",
  "cancelled-late",
  "unknown",
];

const appointment = (id: string, slot: string, more: Partial<Appointment>): Appointment => ({
  conversationId: `c${id}`,
  bookingId: `b${id}`,
  slot,
  source: "chat",
  outcome: "unknown",
  possibleOutcomes: everyOutcome,
  restricted: false,
  ...more,
});

/** Today and tomorrow as they are at nine in the morning. */
export const agenda: Schemas["Agenda"] = {
  zone: "America/Panama",
  days: [
    {
      date: "2026-11-24",
      appointments: 3,
      came: 1,
      missed: 0,
      cancelledLate: 1,
      list: [
        appointment("1", "2026-11-24T13:00:00Z", {
          name: "Ana Ruiz",
          phone: "+50769001234",
          specialty: "ortodoncia",
          question: "¿Cuánto cuesta la ortodoncia?",
          outcome: "came",
        }),
        appointment("2", "2026-11-24T14:00:00Z", {
          name: "Íñigo Pérez de la Concepción y Villalobos",
          phone: "+50769005678",
          source: "form",
        }),
        appointment("3", "2026-11-24T15:30:00Z", {
          source: "staff",
          restricted: true,
          possibleOutcomes: ["cancelled-late", "unknown"],
        }),
        appointment("4", "2026-11-24T20:00:00Z", {
          name: "Luis Mora",
          phone: "+50769004321",
          outcome: "cancelled-late",
          possibleOutcomes: ["cancelled-late", "unknown"],
        }),
      ],
    },
    { date: "2026-11-25", appointments: 0, came: 0, missed: 0, cancelledLate: 0, list: [] },
  ],
};

const row = (name: string, came: number, missed: number, cancelledLate: number): Row => ({
  name,
  came,
  missed,
  cancelledLate,
  missedRate: (100 * missed) / (came + missed + cancelledLate),
});

export const outcomes: Schemas["Outcomes"] = {
  all: row("", 30, 8, 2),
  leadTimes: [row("0", 10, 0, 0), row("1", 10, 2, 0), row("8", 10, 6, 2)],
  weekdays: [row("1", 15, 4, 1), row("6", 15, 4, 1)],
  sources: [row("chat", 20, 5, 2), row("staff", 10, 3, 0)],
  specialties: [row("-", 5, 0, 0), row("ortodoncia", 25, 8, 2)],
  dataThrough: { position: 9 },
};
