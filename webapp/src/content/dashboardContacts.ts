import { formatMoment } from "./dates";
import { formatCount, formatCounted } from "./numbers";

/** The texts of the tab with leads and contact messages. */
export const contactTexts = {
  title: "Contactos",
  failure: "No se pudieron cargar los contactos.",
  outdated: "No se pudieron actualizar los contactos.",
  fresh: "Hay novedades en los contactos",
  shown: (shown: number, total: number) =>
    `Mostrando ${formatCount(shown)} de ${formatCount(total)}`,
  searched: (count: number) =>
    `Se buscó solo entre los ${formatCount(count)} contactos más recientes. Para buscar entre los demás, quite «De cualquier fecha» y acote el período.`,
  allTime: "De cualquier fecha",
  more: "Cargar más",
  loadingMore: "Cargando…",
  export: "Exportar CSV",
  unnamed: "Sin nombre",
  erased: "Los datos de esta persona se borraron a petición suya.",
  searchLabel: "Buscar en los contactos",
  searchPlaceholder: "Nombre o teléfono",
  searchHint:
    "Busca en nombres, teléfonos, correos, mensajes y notas, sin importar tildes ni mayúsculas",
  empty: "No hay contactos en el período seleccionado",
  emptyHint: "Elija otro período para ver contactos anteriores.",
  emptyFiltered: "Ningún contacto del período cumple los filtros",
  kindLabel: "Origen",
  kinds: {
    all: "Todos los orígenes",
    lead: "Leads del chat",
    message: "Formulario de contacto",
  },
  kind: { lead: "Chat", message: "Formulario" },
  statusLabel: "Estado",
  /** How a group of contacts is called, and one of them. */
  statuses: {
    new: "Nuevos",
    contacted: "Contactados",
    scheduled: "Agendados",
    discarded: "Descartados",
  },
  status: {
    new: "Nuevo",
    contacted: "Contactado",
    scheduled: "Agendado",
    discarded: "Descartado",
  },
  changeStatus: (name: string, status: string) => `Estado de ${name}: ${status}. Cambiar`,
  statusMenu: (name: string) => `Estado de ${name}`,
  waiting: (count: number) => formatCounted(count, "nuevo", "nuevos"),
  statusFailure: (name: string) => `No se pudo cambiar el estado de ${name}`,
  changed: (moment: string, author: string | undefined) =>
    author ? `${author}, ${moment}` : moment,
  withdrawn: "Retiró su consentimiento: no se le debe contactar.",
  requests: {
    title: "Solicitudes sobre datos personales",
    pending: (count: number) =>
      formatCounted(
        count,
        "persona pidió algo sobre sus datos",
        "personas pidieron algo sobre sus datos",
      ),
    badge: (count: number) =>
      formatCounted(count, "solicitud sobre datos", "solicitudes sobre datos"),
    first: (day: string) => `La primera vence el ${day}.`,
    firstOverdue: (day: string) => `La primera venció el ${day}.`,
    show: "Ver las solicitudes",
    only: "Solicitudes",
    done: "Con las atendidas",
    empty: "No hay solicitudes por atender",
    emptyHint: "Aquí aparece quien pide una copia o el borrado de sus datos, o retira su permiso.",
    failure: "No se pudieron cargar las solicitudes.",
    kind: {
      erase: "Pide que se borren sus datos",
      copy: "Pide una copia de sus datos",
      withdraw: "Retira su consentimiento",
    },
    due: (day: string) => `vence el ${day}`,
    overdue: (day: string) => `venció el ${day}`,
    outcome: {
      granted: "Se hizo lo que pidió",
      empty: "No había datos de esa persona",
      refused: "No se pudo confirmar quién lo pidió",
    },
    finish: "Marcar como atendida",
    what: "¿Qué se hizo?",
    cancel: "Cancelar",
    finished: (outcome: string, moment: string, author: string | undefined) =>
      author ? `${outcome}: ${author}, ${moment}` : `${outcome}: ${moment}`,
    finishFailure: "No se pudo marcar la solicitud",
  },
  whatsapp: "WhatsApp",
  wants: "Le interesa",
  wholeMessage: "Ver mensaje completo",
  lessMessage: "Ver menos",
  conversation: "Ver conversación",
  appointment: {
    booked: (moment: string) => `Cita el ${moment}`,
    cancelled: (moment: string) => `Cita cancelada (era el ${moment})`,
    book: "Marcar cita",
    change: "Cambiar cita",
    title: (name: string) => `Cita de ${name}`,
    description: "Anote la cita que acordó con la persona. La hora es la de la clínica.",
    day: "Día",
    time: "Hora",
    specialty: "Especialidad",
    anySpecialty: "Sin especificar",
    missing: "Indique el día y la hora.",
    save: "Guardar cita",
    saving: "Guardando…",
    cancel: "Cancelar la cita",
    sure: "¿Cancelar la cita? La hora queda libre.",
    yes: "Sí, cancelarla",
    no: "No",
    failure: "No se pudo guardar. Lo que indicó sigue aquí.",
    saved: "Cita guardada",
    removed: "Cita cancelada",
  },
  notes: {
    show: (count: number) => (count === 0 ? "Añadir nota" : formatCounted(count, "nota", "notas")),
    of: (name: string) => `Notas sobre ${name}`,
    label: "Nota nueva",
    placeholder: "Qué se habló, qué quedó pendiente…",
    save: "Guardar nota",
    saving: "Guardando…",
    failure: "No se pudo guardar la nota. Lo escrito sigue aquí.",
    noAuthor: "Equipo de la clínica",
    erased: "Nota borrada",
  },
} as const;

/** When an appointment is, or that it was cancelled. */
export function appointmentInWords(appointment: {
  readonly slot: string;
  readonly cancelled: boolean;
}): string {
  const words = contactTexts.appointment[appointment.cancelled ? "cancelled" : "booked"];
  return words(formatMoment(new Date(appointment.slot)));
}
