import { clinic } from "./clinic";

export const contactTexts = {
  meta: {
    title: `Contáctanos | ${clinic.name}`,
    description:
      "Dirección, teléfonos, correo, horario y formulario de contacto de nuestra clínica dental en Vía España, Ciudad de Panamá. Escríbenos o agenda tu cita.",
  },
  hero: {
    title: "Contáctanos",
    text: "Cuéntanos en qué podemos ayudarte. Te responderemos en nuestro horario de atención.",
  },
  details: {
    heading: "Dónde encontrarnos",
    address: "Dirección",
    phones: "Teléfonos",
    email: "Correo electrónico",
    hours: "Horario de atención",
    hoursNote: "Hora de Panamá",
    closed: "Cerrado",
    social: "Síguenos",
    socialLinks: ["Facebook", "Instagram", "Twitter", "YouTube"],
    book: "Agendar Cita",
    urgent: `¿Dolor fuerte, un golpe o inflamación? Llámanos al ${clinic.phones[0].label}: es más rápido que el formulario. Si te cuesta respirar o tragar, acude a un hospital o llama al 911.`,
  },
  form: {
    heading: "Envíanos un mensaje",
    intro: "Los campos con asterisco son obligatorios.",
    name: { label: "Nombre", placeholder: "Tu nombre" },
    email: { label: "Correo electrónico", placeholder: "Tu correo electrónico" },
    phone: { label: "Teléfono (opcional)", placeholder: "Con código de país si es del extranjero" },
    message: {
      label: "Mensaje",
      placeholder: "¿En qué podemos ayudarte?",
      hint: "No incluyas diagnósticos ni documentos médicos; los vemos contigo en la consulta.",
    },
    submit: "Enviar Mensaje",
    pending: "Enviando...",
    privacy:
      "Al enviar, aceptas que usemos tus datos únicamente para responder tu mensaje y coordinar tu cita, conforme a la Ley 81 de 2019 sobre protección de datos personales. Puedes pedir que los borremos cuando quieras.",
    errors: {
      name: "Name must be at least 2 characters",
      email: "Please enter a valid email address",
      message: "Message must be at least 10 characters",
    },
    success: {
      heading: "¡Gracias!",
      text: "Tu mensaje ha sido enviado. Nos pondremos en contacto contigo pronto.",
      again: "Enviar Otro Mensaje",
    },
    toasts: {
      success: {
        title: "¡Éxito!",
        description: "Tu mensaje ha sido enviado. Nos pondremos en contacto contigo pronto.",
      },
      failure: {
        title: "Error",
        description: "Hubo un problema al enviar tu mensaje. Por favor, intenta de nuevo.",
      },
    },
  },
  map: {
    heading: "Cómo llegar",
    title: "Mapa del centro de la Ciudad de Panamá",
    text: "Estamos en Vía España, en el Edificio Plaza Regency. Sube al piso 9.",
    load: "Mostrar el mapa",
    notice: "El mapa lo ofrece un servicio externo y se carga cuando tú lo pides.",
    open: "Abrir el mapa en otra pestaña",
    unavailable: "El mapa no está disponible en este momento. Usa la dirección de esta página.",
  },
} as const;
