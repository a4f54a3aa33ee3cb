import { dashboardTexts } from "./dashboard";
import { metricTexts } from "./dashboardKpis";
import { formatDay, formatMoment, formatMonth, formatShortDay, formatTime } from "./dates";
import { formatCount, formatDecimal } from "./numbers";
import { dayOf } from "./zone";

const longDay = (start: Date, zone?: string) => formatDay(dayOf(start, zone));
const shortDay = (start: Date, zone?: string) => formatShortDay(dayOf(start, zone));
const month = (start: Date, zone?: string) => formatMonth(dayOf(start, zone));

/** Names of the buckets of a chart: short ones beside the axis, whole ones where there is room. */
export const bucketNames = {
  hour: { short: formatTime, long: formatMoment },
  day: { short: shortDay, long: longDay },
  week: {
    short: shortDay,
    long: (start: Date, zone: string, end: Date) =>
      `${shortDay(start, zone)} – ${longDay(end, zone)}`,
  },
  month: { short: month, long: month },
} as const;

/** Words of the time series. */
export const chartTexts = {
  select: (metric: string) => `Ver ${metric} en la gráfica`,
  intervalLabel: "Intervalo",
  intervals: { hour: "Hora", day: "Día", week: "Semana", month: "Mes" },
  perInterval: { hour: "por hora", day: "por día", week: "por semana", month: "por mes" },
  title: (metric: string, per: string) => `${metric} ${per}`,
  metric: "Número de la gráfica",
  keys: "Flechas, Inicio y Fin recorren la gráfica; Intro se acerca.",
  role: "gráfica",
  summary: (total: string, most: string, when: string) =>
    `${total} en total; lo más alto, ${most} (${when}).`,
  summaryOfRate: (whole: string, most: string, when: string) =>
    `${whole} en el período; lo más alto, ${most} (${when}).`,
  noValue: "sin datos",
  ofBucket: (bucket: string, value: string, previous?: string) =>
    previous ? `${bucket}: ${value} (comparado: ${previous})` : `${bucket}: ${value}`,
  flat: "Sin datos en el período.",
  current: "Período actual",
  previous: "Período comparado",
  partial: "En curso",
  /** What happened in a bucket: beside the line, in the legend, and in words. */
  marks: {
    holidays: {
      sign: () => "F",
      legend: "F: feriado",
      words: (names: readonly string[]) =>
        names.map((name) => name || "Horario especial").join(", "),
    },
    refusals: {
      sign: () => "L",
      legend: "L: límite",
      words: ([count = ""]: readonly string[]) => `Límite del mes alcanzado; sin atender: ${count}`,
    },
    notes: {
      sign: () => "N",
      legend: "N: nota",
      words: (notes: readonly string[]) => notes.join(", "),
    },
    // The last in the legend: it comes by a call of its own, and may not move the others.
    taught: {
      sign: (slugs: readonly string[]) => `+${slugs.length}`,
      legend: "Respuesta enseñada",
      words: (slugs: readonly string[]) => `Se enseñó: ${slugs.join(", ")}`,
    },
  },
  notes: {
    open: "Notas",
    none: "No hay notas en estos días.",
    title: "Notas de la gráfica",
    description: "Lo que explica los números: una campaña, una obra. Sin datos de personas.",
    from: "Desde",
    to: "Hasta",
    text: "Nota",
    placeholder: "Campaña de ortodoncia",
    save: "Guardar",
    saving: "Guardando…",
    missing: "Escriba la nota y sus días.",
    failure: "No se pudo guardar la nota.",
    remove: "Quitar",
    removeFailure: "No se pudo quitar la nota.",
    days: (from: string, to: string) => `${from} – ${to}`,
  },
  clipped: "Parcial",
  showTable: "Ver datos en tabla",
  showChart: "Ver gráfica",
  download: "Descargar CSV",
  failure: "No se pudo cargar la gráfica.",
  outdated: "No se pudo actualizar la gráfica.",
  loading: "Cargando gráfica",
  columns: { bucket: "Período", value: "Valor", previous: "Comparado", change: "Cambio" },
  total: "Total",
  zoom: (bucket: string) => `Acercarse a ${bucket}`,
  open: (bucket: string) => `Ver las conversaciones de ${bucket}`,
  csv: {
    file: (from: string, to: string) => `bitacora-serie-${from}-${to}.csv`,
    columns: ["inicio", "fin"],
    previous: "anterior",
  },
} as const;

/** Words of the cards below the two of the analytics tab. */
export const analyticsTexts = {
  open: (count: number, what: string) => `Ver ${formatCount(count)}: ${what}`,
  failure: "No se pudieron cargar estos datos.",
  outdated: "No se pudieron actualizar estos datos.",
  loading: (title: string) => `Cargando ${title}`,
  empty: "Sin conversaciones en el período.",
  funnel: {
    title: "Embudo",
    steps: {
      visit: "Visitas",
      opening: "Abrieron el chat",
      conversation: "Conversaciones",
      consent: "Con consentimiento",
      lead: "Leads",
      appointment: "Citas",
    },
    fromPrevious: (percent: string) => `${percent} del paso anterior`,
    narrowed:
      "Las visitas no tienen tema ni resultado: con filtros, el embudo empieza en la conversación.",
    uncounted: "En este período todavía no se contaban las visitas.",
    since: (day: string) => `Desde el ${day}, cuando se empezaron a contar las visitas.`,
  },
  heatmap: {
    title: "Cuándo escriben",
    note: "Conversaciones por día y hora de inicio. El contorno marca el horario de atención.",
    cell: (weekday: string, hour: string, counts: readonly [number, number, number]) =>
      `${weekday}, ${hour}: ${formatCount(counts[0])} conversaciones, ${formatCount(counts[1])} leads, ${formatCount(counts[2])} citas`,
    less: "Menos",
    more: "Más",
  },
  outOfHours: {
    title: "Mientras la clínica estaba cerrada",
    note: "Lo que el asistente atendió fuera del horario de atención.",
    conversations: "Conversaciones fuera de horario",
    leads: "Leads fuera de horario",
    appointments: "Citas fuera de horario",
    share: (percent: string) => `${percent} del total`,
  },
  ratings: {
    title: "Valoraciones",
    empty: "Nadie ha valorado respuestas en este período.",
    approval: "Aprobación",
    positive: "Respuestas con pulgar arriba",
    negative: "Respuestas con pulgar abajo",
    worst: "Temas con más valoraciones negativas",
    topic: "Tema",
    count: "Valoraciones",
    negatives: "Negativas",
  },
  outcomes: {
    title: "Asistencia a las citas",
    empty: "Todavía no se sabe en qué quedaron las citas de este período.",
    missedRate: "Tasa de faltas",
    came: "Vinieron",
    missed: "Faltas",
    cancelledLate: "Cancelaron tarde",
    appointments: "Citas",
    groups: {
      leadTimes: "Antelación",
      weekdays: "Día de la cita",
      sources: "Quién la agendó",
      specialties: "Especialidad",
    },
    /** By the fewest days between booking and appointment. */
    leadTimes: { 0: "El mismo día", 1: "1 o 2 días", 3: "De 3 a 7 días", 8: "Más de 7 días" },
    noSpecialty: "Sin especificar",
  },
  topics: {
    title: "De qué preguntan",
    note: "Una conversación cuenta en cada uno de sus temas.",
    smallTalk: "Cortesías, aparte:",
    topic: "Tema",
    conversations: "Conversaciones",
    leadRate: "Leads",
    appointmentRate: "Citas",
    unanswered: "Sin respuesta",
    all: (count: number) => `Ver los ${count} temas`,
    fewer: "Ver menos",
  },
  quality: {
    title: "Calidad del asistente",
    replies: "Respuestas",
    p50: "Tiempo de respuesta, mediana",
    p90: "9 de cada 10, en menos de",
    p99: "99 de cada 100, en menos de",
    failures: "Mensajes que fallaron",
    unanswered: "Respuestas sin información",
    tokens: "Tokens leídos / escritos",
    providerTokens: (provider: string) => `Tokens de ${provider} hoy`,
    providerCost: (provider: string) => `Costo de ${provider} hoy`,
    ofLimit: (used: string, limit: string) => `${used} de ${limit}`,
    models: "Modelos",
    model: "Modelo",
    share: "Uso",
    unknownModel: "Desconocido",
    seconds: (value: number | null) =>
      value === null ? "—" : `${value < 10 ? value.toFixed(2) : formatDecimal(value)} s`,
    withRate: (count: number, percent: string) => `${formatCount(count)} (${percent})`,
  },
} as const;

/** Words of the explanation behind «¿Cómo se calcula?». */
export const explanationTexts = {
  button: "¿Cómo se calcula?",
  of: (number: string) => `¿Cómo se calcula? ${number}`,
  formula: "Cálculo",
  period: "Período",
  zone: "Zona horaria",
  zoneValue: (zone: string) => `${zone}: por ella se cuentan días, horas y meses.`,
  dataThrough: "Datos hasta",
  unknown: "Todavía sin datos",
  position: (position: number) => `posición ${formatCount(position)} del registro`,
  cohort:
    "Cuenta las conversaciones que empezaron en el período; sus mensajes, leads y citas posteriores también cuentan.",
} as const;

/** What each number is and how it comes about. */
export const explanations = {
  ...metricTexts,
  limit: {
    title: dashboardTexts.limit.title,
    formula:
      "Conversaciones que empezaron en el mes en curso, sea cual sea el período, entre el límite configurado. Día en que se agotaría = al ritmo medio de lo que va del mes; no se dice en los primeros cinco días ni si no cae en este mes.",
  },
  efficiency: {
    title: dashboardTexts.efficiency.title,
    formula:
      "Conversión = 100 × leads ÷ conversaciones. Mensajes por conversación = mensajes ÷ conversaciones. Interacciones = todos los mensajes.",
  },
  performance: {
    title: dashboardTexts.performance.title,
    formula:
      "Sesiones = conversaciones del período. Citas = con reserva confirmada. Tiempo promedio = media del tiempo activo; cada pausa entre mensajes cuenta como mucho 30 minutos.",
  },
  funnel: {
    title: analyticsTexts.funnel.title,
    formula:
      "Cada paso cuenta las visitas, y desde la tercera línea las conversaciones, que llegaron a él; el porcentaje se mide sobre el primer paso y sobre el anterior. Visita = una pestaña del navegador en la que se vio el sitio, sin contar a quien pide no ser rastreado. Abrieron el chat = lo abrió el visitante, o usó el que se abrió solo; que se abra solo no cuenta. Toda conversación implica una visita con el chat abierto y cuenta por su propia fecha. Si el período empieza antes de que se contaran las visitas, todos los pasos cuentan desde entonces.",
  },
  heatmap: {
    title: analyticsTexts.heatmap.title,
    formula:
      "Conversaciones por el día de la semana y la hora en que empezaron. La suma de las 168 casillas es el total del período.",
  },
  outOfHours: {
    title: analyticsTexts.outOfHours.title,
    formula:
      "Conversaciones que empezaron fuera del horario de atención, con sus leads y citas, y su parte del total.",
  },
  topics: {
    title: analyticsTexts.topics.title,
    formula:
      "Temas de las respuestas del asistente. Una conversación cuenta en cada uno de sus temas, así que las filas suman más que el total. Tasas = 100 × leads o citas ÷ conversaciones del tema.",
  },
  ratings: {
    title: analyticsTexts.ratings.title,
    formula:
      "Lo que los visitantes dijeron de las respuestas con los pulgares del chat; de cada respuesta cuenta la última palabra. Aprobación = 100 × positivas ÷ (positivas + negativas), sobre las respuestas de las conversaciones del período.",
  },
  outcomes: {
    title: analyticsTexts.outcomes.title,
    formula:
      "Citas de las conversaciones del período con resultado conocido. Faltas = citas a las que la persona no vino. Tasa = 100 × faltas ÷ (vinieron + faltas + cancelaron tarde). De cada cita cuenta el último resultado. La antelación son los días entre la reserva y la cita.",
  },
  quality: {
    title: analyticsTexts.quality.title,
    formula:
      "Percentiles del tiempo de las respuestas que lo registran. Fallos = mensajes sin respuesta ÷ (respuestas + fallos). Sin información = tales respuestas ÷ respuestas.",
  },
} as const;

export type Explained = keyof typeof explanations;
