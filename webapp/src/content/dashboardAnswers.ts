import { formatDay, formatMoment } from "./dates";
import { formatCount, formatCounted, formatPercent } from "./numbers";
import { dayOf } from "./zone";

const questions = (count: number) => formatCounted(count, "pregunta", "preguntas");
const times = (count: number) => formatCounted(count, "vez", "veces");

/** Texts of the pages on which the staff teaches the assistant answers. */
export const answersTexts = {
  list: {
    title: "Respuestas enseñadas",
    hint: "Cada una vale desde el siguiente mensaje de un visitante. Deshacer devuelve la versión anterior, o la quita.",
    loading: "Cargando las respuestas",
    failure: "No se pudieron cargar las respuestas.",
    empty: "Todavía no se ha enseñado ninguna respuesta.",
    emptyHint: "En «Por mejorar», cada pregunta lleva a enseñar su respuesta.",
    state: {
      current: (version: number) => `Publicada, versión ${version}`,
      undone: "Deshecha",
      replaced: "Reemplazada por una importación",
    },
    uses: (count: number) => `Usada ${times(count)}`,
    since: (instant: string) => `desde el ${formatDay(dayOf(new Date(instant)))}`,
    share: "De todas las respuestas del asistente, no tenían información",
    before: "30 días antes",
    after: "30 días después",
    noReplies: "Sin respuestas",
    rate: (rate: number, unanswered: number, replies: number) =>
      `${formatPercent(rate)} (${formatCount(unanswered)} de ${formatCount(replies)})`,
    change: "Cambiar",
    changeOf: (slug: string) => `Cambiar ${slug}`,
    undo: "Deshacer",
    undoOf: (slug: string) => `Deshacer ${slug}`,
    versions: (count: number) => formatCounted(count, "versión", "versiones"),
    version: (number: number) => `Versión ${number}`,
    by: (who: string, at: string) => `${who}, ${formatMoment(new Date(at))}`,
    undoneBy: (who: string, at: string, reason: string) =>
      `Deshecha por ${who}, ${formatMoment(new Date(at))}: ${reason}`,
  },
  undoing: {
    title: (slug: string) => `Deshacer ${slug}`,
    again: "Vuelve la versión anterior.",
    removed: "El asistente deja de tener esta respuesta, o vuelve la que había antes de enseñarla.",
    reason: "Motivo",
    submit: "Deshacer",
    submitting: "Deshaciendo…",
    cancel: "Cancelar",
    failure: "No se pudo deshacer.",
    done: { title: "Respuesta deshecha", description: "Vale desde el siguiente mensaje." },
  },
  form: {
    loading: "Cargando el formulario",
    failure: "No se pudo cargar el formulario.",
    editing: "Cambiar una respuesta",
    what: "Qué se responde",
    name: "Título",
    nameHint: (slug: string) => `Se guarda como «${slug}».`,
    topic: "Tema",
    noTopic: "Elija un tema",
    service: "Servicio",
    noService: "Ninguno",
    aspect: "Aspecto",
    noAspect: "Ninguno",
    /** By the aspect's name; those that are not here are words already. */
    aspects: {
      duracion: "Duración",
      "que-es": "Qué es",
      comparacion: "Comparación",
      candidato: "Quién puede",
    } as Readonly<Record<string, string>>,
    questions: "Preguntas",
    questionsHint:
      "Una por línea, como las escribe la gente. Quite los nombres y los datos de las personas.",
    text: "Respuesta",
    count: (characters: number, most: number) =>
      `${formatCount(characters)} de ${formatCount(most)} caracteres`,
    facts: "Datos de la clínica",
    factsHint: "Ponga el dato en el texto: cuando cambie, la respuesta también.",
    insert: (name: string, value: string) => `Poner ${name} (${value}) en la respuesta`,
    filled: "Así se lee",
    nothing: "Escriba la respuesta para verla aquí.",
    english: "Respuesta en inglés (opcional; se quita si solo cambia la española)",
    reason: "Motivo",
    reasonHint: "Queda en la actividad y en la lista de versiones.",
    publish: "Publicar",
    publishHint: "Pruebe la respuesta con las preguntas para poder publicarla.",
    publishing: "Publicando…",
    failed: "No se pudo publicar.",
    published: { title: "Respuesta publicada", description: "Vale desde el siguiente mensaje." },
  },
  preview: {
    title: "Qué cambiaría",
    hint: "Repite lo que preguntaron los visitantes en los últimos 90 días, con la respuesta y sin ella. Queda registrado quién lo leyó.",
    start: "Probar con las preguntas",
    again: "Probar de nuevo",
    stop: "Detener",
    starting: "Buscando las conversaciones…",
    progress: (done: number, of: number, asked: number) =>
      `${formatCount(done)} de ${formatCounted(of, "conversación", "conversaciones")}, ${formatCounted(asked, "pregunta distinta", "preguntas distintas")}`,
    failed: "No se pudo probar la respuesta.",
    read: (asked: number, conversations: number) =>
      `Se repitieron ${formatCounted(asked, "pregunta distinta", "preguntas distintas")} de ${formatCounted(conversations, "conversación", "conversaciones")}.`,
    how: "Cada pregunta se repite una vez, con lo que se había dicho antes en la última conversación en que apareció. Las personas que pidieron borrar o restringir sus datos quedan fuera.",
    capped: "Hay más preguntas de las que se repiten: son las más recientes.",
    answered: (count: number, asked: number) =>
      `Ahora tendrían respuesta ${questions(count)} (${times(asked)})`,
    changed: (count: number, asked: number) =>
      `Cambiaría la respuesta de ${questions(count)} (${times(asked)})`,
    none: "Ninguna.",
    some: (shown: number, all: number) => `Se muestran ${shown} de ${formatCount(all)}.`,
    now: "Hoy",
    taught: "Con esta respuesta",
    booking: "(el chat sigue con la cita)",
    context: "con lo dicho antes",
    times,
  },
} as const;
