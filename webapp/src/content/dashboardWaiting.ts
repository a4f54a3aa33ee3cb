import { flagNames } from "./dashboardFilters";
import { frameTexts } from "./dashboardFrame";
import { formatCounted } from "./numbers";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** How long something lasts, in the largest unit of which it has one: 3 días. */
export function formatAge(milliseconds: number): string {
  if (milliseconds >= day) return formatCounted(Math.floor(milliseconds / day), "día", "días");
  if (milliseconds >= hour) return formatCounted(Math.floor(milliseconds / hour), "hora", "horas");
  if (milliseconds >= minute) {
    return formatCounted(Math.floor(milliseconds / minute), "minuto", "minutos");
  }
  return "menos de un minuto";
}

/** How long ago an instant was: hace 3 días. */
export function formatAgo(instant: string): string {
  return `hace ${formatAge(Date.now() - Date.parse(instant))}`;
}

/** The texts of the people whom the clinic has to call. */
export const waitingTexts = {
  page: frameTexts.pages.today,
  subtitle: "Quién espera que la clínica le llame",
  title: "Por llamar",
  count: (count: number) => formatCounted(count, "persona por llamar", "personas por llamar"),
  nobody: "Nadie por llamar",
  oldest: (age: string) => `La que más espera lleva ${age}.`,
  grave: (count: number) =>
    formatCounted(count, "con una crisis o emergencia", "con una crisis o emergencia"),
  putOff: (count: number) => formatCounted(count, "queda para otro día", "quedan para otro día"),
  firstContact: (age: string) => `Primer contacto: ${age} tras su llegada (mediana de 30 días).`,
  firstContactBy: {
    title: "Primer contacto por día y por persona",
    weekday: "Día de llegada",
    person: "Quién atendió",
    median: "Mediana",
    contacts: "Contactos",
  },
  all: "Ver todas",
  call: (name: string) => `Llamar a ${name}`,
  whatsapp: "WhatsApp",
  write: "Escribir",
  transcript: "Ver la conversación",
  message: "Ver el mensaje",
  reasons: {
    ...flagNames,
    request: "Pide algo sobre sus datos",
    message: "Formulario",
    lead: "Dejó su contacto",
  },
  attended: (by: string | undefined) => (by ? `atendido por ${by}` : "atendido"),
  unnamed: "Sin nombre",
  unreachable: "No dejó teléfono ni correo.",
  restricted: "Restringido por pedido de la persona: sus datos se guardan y no se usan.",
  age: (age: string) => `Espera desde hace ${age}`,
  heldBy: (name: string, until: string) => `Atiende ${name}, hasta las ${until}`,
  heldByMe: (until: string) => `La atiende usted, hasta las ${until}`,
  last: {
    begun: "Último intento",
    done: "Hecho",
    "no-answer": "No contestó",
    tomorrow: "Se dejó para otro día",
  },
  outcomes: { done: "Hecho", "no-answer": "No contestó", tomorrow: "Mañana" },
  settled: {
    done: (name: string) => `${name}: hecho`,
    "no-answer": (name: string) => `${name}: no contestó`,
    tomorrow: (name: string) => `${name}: para otro día`,
  },
  due: (moment: string) => `Vuelve a esperar el ${moment}.`,
  undo: "Deshacer",
  undone: "Deshecho",
  notSaved: "No se guardó",
  again: "Puede intentarlo de nuevo.",
  empty: "Nadie espera una llamada",
  emptyHint:
    "Aquí aparece quien deja sus datos, escribe por el formulario o pide ayuda en el chat.",
  reader: "Su cuenta ve cuántas personas esperan, y no quiénes son.",
  loading: "Cargando a quién llamar",
  failure: "No se pudo cargar a quién llamar.",
  shown: (shown: string, total: string) => `Se muestran ${shown} de ${total}`,
  loadingMore: "Cargando…",
  more: "Cargar más",
  beginHere: "Empezar aquí al iniciar sesión",
} as const;
