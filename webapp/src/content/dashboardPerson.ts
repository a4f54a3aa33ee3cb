import { formatCounted } from "./numbers";

/** The texts about what is kept of a person, and what they may ask for. */
export const personTexts = {
  open: "Sus datos",
  title: (name: string) => `Datos de ${name}`,
  description:
    "Lo que el sitio guarda de esta persona: cada conversación y mensaje en que dio el mismo teléfono, correo o documento.",
  loading: "Buscando sus datos",
  failure: "No se pudo buscar lo que se guarda de esta persona.",
  kind: {
    conversation: "Conversación",
    message: "Mensaje del formulario",
    subscription: "Boletín",
  },
  foundBy: {
    id: "este contacto",
    phone: "por el teléfono",
    email: "por el correo",
    document: "por el documento",
  },
  texts: (count: number) => formatCounted(count, "texto", "textos"),
  bookings: (count: number) => formatCounted(count, "cita", "citas"),
  notes: (count: number) => formatCounted(count, "nota", "notas"),
  pending: "Las tablas que no se pudieron alcanzar cambian solas en cuanto respondan.",
  erased: "borrado",
  restricted: "restringido",
  export: {
    title: "Exportar sus datos",
    hint: "Para entregárselos si los pide. Queda registrado quién los descargó.",
    html: "Descargar para leer",
    json: "Descargar como JSON",
  },
  restrict: {
    title: "Restringir",
    hint: "Sus datos se guardan y nadie los ve ni los usa; el chat no sigue. Los números la siguen contando.",
    on: "Restringir",
    off: "Quitar la restricción",
    failure: "No se pudo cambiar la restricción.",
    done: "Sus datos quedaron restringidos",
    lifted: "Sus datos se pueden usar de nuevo",
    shown: "Restringido por pedido de la persona",
  },
  erase: {
    title: "Borrar para siempre",
    hint: "No se puede deshacer. Los números la siguen contando, sin saber quién era. Los correos enviados y los archivos descargados no se alcanzan.",
    appointment: (moment: string) => `Tiene una cita el ${moment}.`,
    cancel: "Cancelar también la cita",
    only: "Solo este contacto",
    unnamed: "el nombre de la persona",
    confirm: (name: string) => `Para confirmar, escriba: ${name}`,
    button: "Borrar para siempre",
    erasing: "Borrando…",
    failure: "No se pudo borrar.",
    done: "Sus datos se borraron",
    provable: (moment: string) =>
      `Desde el ${moment}, tampoco los puede leer nadie en ninguna copia.`,
  },
} as const;
