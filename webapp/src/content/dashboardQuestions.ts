import { formatCount, formatCounted } from "./numbers";

const counted = (name: string) => (count: number) =>
  count > 1 ? `${name} (${formatCount(count)})` : name;

/** The texts of the tab with the questions whose answers are to be improved. */
export const questionTexts = {
  title: "Respuestas por mejorar",
  note: "Lo que el asistente no supo responder, lo que se valoró mal y lo que no entendió con seguridad. Enseñe una respuesta, que vale desde el siguiente mensaje, o descarte la pregunta.",
  failure: "No se pudieron cargar las preguntas.",
  outdated: "No se pudieron actualizar las preguntas.",
  shown: (shown: number, total: number) =>
    shown < total
      ? `${formatCount(shown)} de ${formatCounted(total, "pregunta", "preguntas")}`
      : formatCounted(shown, "pregunta", "preguntas"),
  more: "Cargar más",
  loading: "Cargando las preguntas",
  loadingMore: "Cargando…",
  empty: "No hay respuestas por mejorar en el período seleccionado",
  emptyHint: "Elija otro período u otros filtros.",
  reason: "Motivo",
  reasons: { unanswered: "Sin respuesta", negative: "Mal valoradas", unsure: "Dudosas" },
  badges: {
    unanswered: counted("Sin respuesta"),
    negative: counted("Mal valorada"),
    unsure: counted("Dudosa"),
  },
  state: "Estado",
  states: { open: "Pendientes", settled: "Resueltas", all: "Todas" },
  settled: { dismissed: "Descartada", taught: "Enseñada" },
  times: (count: number) => formatCounted(count, "vez", "veces"),
  group: (questions: number, count: number) =>
    `${formatCounted(questions, "pregunta parecida", "preguntas parecidas")}, ${formatCounted(count, "vez", "veces")} en total`,
  last: (moment: string) => `La última, el ${moment}`,
  openQuestion: (text: string) => `Ver la conversación de «${text}»`,
  replied: "Se respondió:",
  teachTo: (text: string) => `Enseñar respuesta a «${text}»`,
  change: "Cambiar la respuesta",
  changeTo: (text: string) => `Cambiar la respuesta a «${text}»`,
  dismiss: "Descartar",
  dismissOf: (text: string) => `Descartar «${text}»`,
  dismissFailure: "No se pudo descartar la pregunta.",
} as const;
