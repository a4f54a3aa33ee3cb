import { clinic } from "./clinic";

export const chatTexts = {
  open: "Abrir el asistente virtual",
  close: "Cerrar el asistente virtual",
  title: "Asistente virtual",
  subtitle: "Respuestas al momento, citas sin llamadas",
  log: "Conversación con el asistente virtual",
  announcement: "El asistente virtual se abrió en la esquina inferior derecha.",
  visitor: "Tú:",
  assistant: "Asistente:",
  placeholder: "Escribe tu mensaje…",
  input: "Tu mensaje",
  send: "Enviar mensaje",
  typing: "El asistente está escribiendo",
  unread: "Tienes un mensaje nuevo",
  retry: "Reintentar",
  reconnecting: "Recuperando la conexión…",
  dismiss: "Cerrar aviso",
  notice: "Te responde un asistente automático. No compartas datos médicos sensibles.",
  consent:
    "Si nos dejas tu contacto, lo usaremos únicamente para coordinar tu cita, conforme a la Ley 81 de 2019.",
  welcome: `¡Hola! Soy el asistente virtual de ${clinic.name}. Puedo contarte sobre nuestros tratamientos, el horario y la ubicación, o ayudarte a agendar una cita. ¿En qué te ayudo?`,
  quickReplies: {
    label: "Respuestas rápidas",
    items: ["Quiero agendar una cita", "¿Cuál es el horario?", "Tengo dolor", "¿Dónde están?"],
  },
  limit:
    "El servicio de chat ha alcanzado su límite mensual. Puedes contactarnos directamente para más información.",
  difficulties: `Lo siento, tengo dificultades técnicas en este momento. Puedes agendar tu cita directamente aquí: [Agendar una cita](${clinic.bookingUrl})`,
} as const;
