import { clinic } from "./clinic";

export const chatTexts = {
  open: "Abrir el asistente virtual",
  close: "Cerrar el asistente virtual",
  title: "Asistente virtual",
  subtitle: "Información y citas al momento",
  log: "Conversación con el asistente virtual",
  announcement: "El asistente virtual se abrió en la esquina inferior derecha.",
  visitor: "Usted:",
  assistant: "Asistente:",
  placeholder: "Escriba su mensaje…",
  input: "Su mensaje",
  send: "Enviar mensaje",
  typing: "El asistente está escribiendo",
  retry: "Reintentar",
  dismiss: "Cerrar aviso",
  notice: "Responde un asistente automático, no un dentista.",
  welcome: `¡Hola! Soy el asistente virtual de ${clinic.name}. Puedo darle información sobre nuestros tratamientos, horarios y ubicación, o ayudarle a agendar una cita. ¿En qué puedo ayudarle?`,
  limit:
    "El servicio de chat ha alcanzado su límite mensual. Puedes contactarnos directamente para más información.",
  difficulties: `Lo siento, estoy teniendo dificultades técnicas en este momento. Puede agendar su cita directamente aquí: [Agendar una cita](${clinic.bookingUrl})`,
} as const;
