import { formatCount, formatCounted } from "./numbers";

/** What the assistant and the log call what a message was taken for, as staff read it. */
const intentNames: Record<string, string> = {
  book: "Pedir una cita",
  cancel: "Cancelar una cita",
  cancelar: "Cancelar una cita",
  correo: "Correo de la clínica",
  crisis: "Crisis",
  cuidados: "Cuidados",
  despedida: "Despedida",
  details: "Un dato que se le pidió",
  doctores: "Doctores",
  emergencia: "Emergencia",
  gracias: "Agradecimiento",
  horario: "Horario",
  identidad: "Quién responde",
  insulto: "Insulto",
  manipulacion: "Intento de manipular al asistente",
  medicamento: "Medicamentos",
  "mi-cita": "Su propia cita",
  "my-appointment": "Su propia cita",
  new: "Otra conversación",
  ninos: "Niños",
  otro: "Fuera de tema",
  pago: "Formas de pago",
  persona: "Hablar con una persona",
  precio: "Precios",
  "primera-visita": "Primera visita",
  privacidad: "Datos personales",
  queja: "Queja",
  reprogramar: "Cambiar una cita",
  reschedule: "Cambiar una cita",
  reservar: "Pedir una cita",
  saludo: "Saludo",
  seguir: "Seguir con lo anterior",
  seguro: "Seguros",
  servicio: "Un tratamiento",
  stop: "Dejarlo",
  telefono: "Teléfono de la clínica",
  ubicacion: "Ubicación",
  urgencia: "Urgencia dental",
};

/** What a message was taken for, as staff read it; a name nobody knows here is shown as it is. */
export function intentName(intent: string): string {
  return intentNames[intent] ?? intent.replaceAll("-", " ");
}

const percent = (share: number) => `${formatCount(Math.round(share * 100))}%`;

/** The texts of the tab with questions to be labelled. */
export const labelTexts = {
  title: "Por etiquetar",
  note: "Preguntas reales que el asistente no entendió con seguridad o no supo responder. Las etiquetas se guardan y se descargan como líneas de entrenamiento; el asistente nunca aprende de ellas por sí solo: alguien las revisa y las añade.",
  export: "Descargar líneas",
  progress: (done: number, total: number) =>
    `${formatCount(done)} de ${formatCount(total)} etiquetadas`,
  failure: "No se pudieron cargar las preguntas.",
  outdated: "No se pudieron actualizar las preguntas; se muestran las anteriores.",
  shown: (shown: number) => formatCounted(shown, "pregunta", "preguntas"),
  more: "Cargar más",
  loading: "Cargando las preguntas",
  loadingMore: "Cargando…",
  empty: "No hay preguntas por etiquetar en el período seleccionado",
  emptyHint: "Elija otro período u otra confianza.",
  state: "Estado",
  states: { open: "Sin etiquetar", labelled: "Etiquetadas", all: "Todas" },
  below: "Confianza",
  belowOf: (share: number) => `Menos de ${percent(share)} de confianza`,
  belowNone: "Solo sin respuesta",
  times: (count: number) => formatCounted(count, "vez", "veces"),
  unanswered: "Sin respuesta",
  openQuestion: (text: string) => `Ver la conversación de «${text}»`,
  understood: (intent: string, confidence: number | undefined) =>
    `Entendió: ${named(intent, confidence)}`,
  unsure: (closest: string, confidence: number | undefined) =>
    `No lo entendió; lo más parecido: ${named(closest, confidence)}`,
  runnerUp: (intent: string, confidence: number | undefined) =>
    `después, ${named(intent, confidence)}`,
  unknown: "No consta qué entendió",
  replied: "Respondió:",
  answer: (slug: string, likelihood: number | undefined) =>
    likelihood === undefined
      ? `con la respuesta «${slug}»`
      : `con la respuesta «${slug}» (${percent(likelihood)})`,
  choices: (text: string) => `Etiqueta de «${text}»`,
  offTopic: "Fuera de tema",
  skip: "Omitir",
  other: "Otro tema o respuesta",
  otherOf: (text: string) => `Otro tema o respuesta para «${text}»`,
  label: "Etiquetar",
  noChoice: "Elija un tema o una respuesta de la lista.",
  answerChoice: (question: string, slug: string) => `Respuesta: ${question} (${slug})`,
  labelled: (label: string) => `Etiqueta: ${label}`,
  skipped: "Omitida",
  change: "Cambiar",
  labelFailure: "No se pudo guardar la etiqueta.",
  choicesFailure: "No se pudieron cargar los temas y respuestas.",
} as const;

function named(intent: string, confidence: number | undefined): string {
  return confidence === undefined
    ? intentName(intent)
    : `${intentName(intent)} (${percent(confidence)})`;
}
