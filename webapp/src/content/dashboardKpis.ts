import { formatDecimal, formatPercent } from "./numbers";

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

/** A number that has a card and a line over time. */
export type Metric = keyof typeof kpiTexts;

export const metrics = Object.keys(kpiTexts) as Metric[];

/** What files and the address call each metric. */
export const metricWords = Object.fromEntries(
  metrics.map((metric) => [metric, kpiTexts[metric].name.toLowerCase()]),
) as Record<Metric, string>;
