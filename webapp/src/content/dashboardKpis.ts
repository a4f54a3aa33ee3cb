import { folded } from "./folded";
import { formatCount, formatDecimal, formatPercent } from "./numbers";

/** Words of the numbers that have a card and a line over time, in the order of the cards. */
export const kpiTexts = {
  conversations: {
    title: "Conversaciones Totales",
    /** Beside the chart; in lower case also what files and the address call it. */
    name: "Conversaciones",
    note: "En el período seleccionado",
    formula:
      "Conversaciones que empezaron en el período. Una conversación empieza con el primer mensaje aceptado del visitante; abrir el chat o el saludo inicial no la crean.",
  },
  messages: {
    title: "Mensajes Enviados",
    name: "Mensajes",
    note: (average: number) => `${formatDecimal(average)} promedio por conversación`,
    formula:
      "Todos los mensajes guardados, de visitantes y del asistente, de esas conversaciones. Promedio = mensajes ÷ conversaciones.",
  },
  leads: {
    title: "Leads Generados",
    name: "Leads",
    note: (rate: number) => `${formatPercent(rate)} tasa de conversión`,
    formula:
      "Conversaciones con un contacto válido y consentimiento, una vez por conversación. Tasa = 100 × leads ÷ conversaciones.",
  },
  appointments: {
    title: "Citas Agendadas",
    name: "Citas",
    note: "Objetivo principal del chatbot",
    formula:
      "Conversaciones con una reserva confirmada, por el chat, el formulario o el personal. Una cancelación posterior no la descuenta.",
  },
} as const;

/** Words of the numbers that have a line over time, and their card among the analytics or on Hoy. */
export const lineTexts = {
  approval: {
    title: "Aprobación de las respuestas",
    name: "Aprobación",
    formula:
      "100 × positivas ÷ (positivas + negativas), sobre las respuestas de las conversaciones que empezaron entonces. Sin valoraciones no hay punto.",
  },
  unansweredRate: {
    title: "Respuestas sin información",
    name: "Sin información",
    formula:
      "100 × respuestas sin información ÷ respuestas, sobre las conversaciones que empezaron entonces. Sin respuestas no hay punto.",
  },
  firstContact: {
    title: "Tiempo hasta el primer contacto",
    name: "Primer contacto",
    formula:
      "Mediana del tiempo entre la llegada de un contacto y el primer intento de llamarle o el primer cambio de su estado, por la fecha en que llegó. Cuenta todos los contactos; con filtros no se dibuja.",
  },
} as const;

/** A number that has a card above the chart. */
export type CardMetric = keyof typeof kpiTexts;

/** A number that has a line over time. */
export type Metric = CardMetric | keyof typeof lineTexts;

export const cardMetrics = Object.keys(kpiTexts) as CardMetric[];

export const metricTexts = { ...kpiTexts, ...lineTexts } as const;

export const metrics = Object.keys(metricTexts) as Metric[];

/** Whether a number is a rate or a median, of which the parts do not add up to the whole. */
export function isRate(metric: Metric): boolean {
  return metric in lineTexts;
}

/** Whether a smaller number is the better one. */
export function lessIsBetter(metric: Metric): boolean {
  return metric === "unansweredRate" || metric === "firstContact";
}

const hour = 3600;
const day = 24 * hour;

/** A duration in seconds with its unit: 35 min, 2.5 h, 3.0 d. */
function formatDuration(seconds: number): string {
  if (seconds < hour) return `${formatCount(seconds / 60)} min`;
  return seconds < 2 * day
    ? `${formatDecimal(seconds / hour)} h`
    : `${formatDecimal(seconds / day)} d`;
}

/** A value of a number, with its unit. */
export function formatMetric(metric: Metric, value: number): string {
  if (metric === "firstContact") return formatDuration(value);
  return isRate(metric) ? formatPercent(value) : formatCount(value);
}

/** What files and the address call each metric. */
export const metricWords = Object.fromEntries(
  metrics.map((metric) => [metric, folded(metricTexts[metric].name).replaceAll(" ", "-")]),
) as Record<Metric, string>;
