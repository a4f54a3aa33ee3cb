import { frameTexts } from "./dashboardFrame";
import { formatCount, formatCounted } from "./numbers";

/** The texts of the appointments of today and tomorrow. */
export const agendaTexts = {
  title: frameTexts.pages.agenda,
  subtitle: "Las citas de hoy y de mañana, y en qué quedaron",
  loading: "Cargando la agenda",
  failure: "No se pudo cargar la agenda.",
  days: ["Hoy", "Mañana"],
  day: (name: string, date: string) => `${name}, ${date}`,
  count: (count: number) => formatCounted(count, "cita", "citas"),
  empty: ["No hay citas hoy", "No hay citas mañana"],
  emptyHint: "Aquí aparecen las citas del chat, del formulario y las que anota el personal.",
  all: "Ver la agenda",
  unnamed: "Sin nombre",
  restricted: "Los datos de esta persona no se pueden usar.",
  source: { chat: "Chat", form: "Formulario", staff: "Personal" },
  question: "Preguntó:",
  /** An outcome as the button that records it, and as the state of an appointment. */
  outcome: {
    came: "Vino",
    missed: "No vino",
    "cancelled-late": "Canceló tarde",
    unknown: "Sin resultado",
  },
  outcomeOf: (name: string) => `Resultado de la cita de ${name}`,
  recorded: (name: string, outcome: string) => `${name}: ${outcome}`,
  takenBack: (name: string) => `${name}: se deshizo el resultado`,
  undo: "Deshacer",
  failedOutcome: (name: string) => `No se pudo guardar el resultado de ${name}`,
  counts: (came: number, missed: number, late: number) =>
    `Vinieron ${formatCount(came)} · No vinieron ${formatCount(missed)} · Cancelaron tarde ${formatCount(late)}`,
} as const;
