import type { Meta } from "./pages";

/** How the staff's pages are named. */
export const staffPages = {
  "/login": {
    title: "Acceso al Dashboard | {{clinicName}}",
    description: "Panel de control del chatbot dental, reservado al personal de la clínica.",
  },
  "/dashboard": {
    title: "Dashboard del Chatbot | {{clinicName}}",
    description:
      "Panel de control y analíticas del asistente virtual, reservado al personal de la clínica.",
  },
  "/dashboard/cuenta": {
    title: "Mi cuenta | {{clinicName}}",
    description: "Contraseña y sesiones de una cuenta del panel.",
  },
  "/dashboard/cuentas": {
    title: "Cuentas | {{clinicName}}",
    description: "Quién puede entrar al panel y qué puede hacer.",
  },
  "/dashboard/actividad": {
    title: "Actividad | {{clinicName}}",
    description: "Quién entró al panel, qué leyó y qué cambió.",
  },
  "/dashboard/respuestas": {
    title: "Respuestas | {{clinicName}}",
    description: "Lo que el personal enseñó al asistente.",
  },
  "/dashboard/respuestas/nueva": {
    title: "Enseñar respuesta | {{clinicName}}",
    description: "Una respuesta nueva del asistente, o un cambio de una que hay.",
  },
} as const satisfies Readonly<Record<string, Meta>>;
