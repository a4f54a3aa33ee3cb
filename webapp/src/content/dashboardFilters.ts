import { weekdays } from "./calendar";
import { formatHour } from "./dates";
import { formatCount, formatCounted } from "./numbers";

/** Why a conversation asks for attention, the gravest first. */
export const flagNames = {
  crisis: "Crisis",
  emergency: "Emergencia",
  urgency: "Urgencia dental",
  complaint: "Queja",
  callback: "Pide contacto",
} as const;

export type Flag = keyof typeof flagNames;

export const flags = Object.keys(flagNames) as Flag[];

/** What the log calls a topic, as staff read it, where its own words do not say it well. */
const topicNames: Record<string, string> = {
  "-": "Sin tema",
  "cirugia-maxilofacial": "Cirugía maxilofacial",
  "cirugia-y-laser": "Cirugía y láser",
  clinica: "La clínica",
  "diseno-sonrisa": "Diseño de sonrisa",
  dolor: "Dolor y urgencias",
  despedida: "Despedidas",
  encias: "Encías",
  gracias: "Agradecimientos",
  identidad: "Quién responde",
  ninos: "Niños",
  "odontologia-general": "Odontología general",
  "odontologia-laser": "Odontología láser",
  protesis: "Prótesis",
  "rehabilitacion-oral": "Rehabilitación oral",
  saludo: "Saludos",
  sonrisa: "Diseño de sonrisa",
  ubicacion: "Ubicación",
  urgencia: "Urgencias",
  urgencias: "Urgencias y dolor",
};

/** A topic as staff read it: without its hyphens, unless it is named here. */
export function topicName(topic: string): string {
  const known = topicNames[topic];
  if (known) return known;
  const words = topic.replaceAll("-", " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const namedTopics = 3;

/** What a conversation was about, in few words: Citas, Precios, Horario y 2 más. */
export function topicsInWords(topics: readonly string[]): string {
  const named = topics.slice(0, namedTopics).map(topicName).join(", ");
  const more = topics.length - namedTopics;
  return more > 0 ? `${named} y ${more} más` : named;
}

/** Words of the filters above the list. */
export const filterTexts = {
  active: "Filtros activos",
  search: "Buscar en los mensajes",
  searchPlaceholder: "Buscar",
  searchHint: "Texto, sin importar mayúsculas ni tildes",
  lead: { true: "Con lead", false: "Sin lead" },
  appointment: { true: "Con cita", false: "Sin cita" },
  consent: { true: "Con consentimiento", false: "Sin consentimiento" },
  unanswered: { true: "Sin respuesta", false: "Todo respondido" },
  failed: { true: "Con fallo del asistente", false: "Sin fallos" },
  flagged: { true: "Pide atención", false: "No pide atención" },
  flag: (flag: Flag) => flagNames[flag],
  outOfHours: { true: "Fuera de horario", false: "En horario" },
  topic: (topic: string) => `Tema: ${topicName(topic)}`,
  unansweredTopic: (topic: string) => `Sin respuesta sobre: ${topicName(topic)}`,
  model: (model: string) => `Modelo: ${model === "-" ? "desconocido" : model}`,
  rated: (rating: "positive" | "negative") =>
    rating === "positive" ? "Valoración positiva" : "Valoración negativa",
  ratedTopic: (topic: string) => `Respuesta valorada sobre: ${topicName(topic)}`,
  minDuration: (seconds: number) => `Desde ${formatCount(seconds)} s`,
  maxDuration: (seconds: number) => `Hasta ${formatCount(seconds)} s`,
  weekday: (weekday: number) => weekdays[weekday - 1] ?? "",
  hour: (hour: number) => `De ${formatHour(hour)} a ${formatHour(hour + 1)}`,
  q: (text: string) => `«${text}»`,
  topicLabel: "Tema",
  anyTopic: "Todos los temas",
  flagLabel: "Atención",
  anyFlag: "Con o sin atención",
  anyFlagged: "Pide atención",
  durationLabel: "Duración",
  anyDuration: "Cualquier duración",
  durations: {
    short: "Menos de 1 minuto",
    medium: "De 1 a 5 minutos",
    long: "Más de 5 minutos",
  },
  remove: (filter: string) => `Quitar el filtro ${filter}`,
  clear: "Quitar todos",
  everywhere: "Aplicar también a indicadores y gráficas",
  applied: "Indicadores y gráficas de las conversaciones filtradas",
} as const;

/** Words of the export menu. */
export const exportTexts = {
  button: "Exportar",
  title: "Exportar lo que se muestra",
  note: (total: number) =>
    `${formatCounted(total, "conversación", "conversaciones")}, con los filtros de la lista.`,
  rows: { conversations: "Conversaciones", messages: "Mensajes (contactos ocultos)" },
  formats: { csv: "CSV", jsonl: "JSON lines", parquet: "Parquet" },
  file: (rows: string, format: string) => `${rows} en ${format}`,
} as const;
