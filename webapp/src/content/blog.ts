import { clinic } from "./clinic";

export const blogTexts = {
  listing: {
    meta: {
      title: `Blog de salud dental | ${clinic.name}`,
      description:
        "Artículos claros y prudentes sobre encías, caries, ortodoncia, implantes, niños y urgencias, escritos para ayudarte a cuidar tu boca.",
    },
    hero: {
      title: "Blog de Salud Dental",
      text: "Respuestas sencillas a las preguntas que más escuchamos en la consulta.",
    },
    intro: {
      heading: "Aprende a cuidar tu boca",
      text: "Escribimos sobre prevención, tratamientos y señales de alerta sin alarmar ni prometer. La información es general: no reemplaza una revisión, pero te ayuda a llegar con mejores preguntas.",
    },
    readMore: "Leer más",
    readMoreAbout: (title: string) => `Leer más sobre ${title}`,
    published: "Publicado el",
    loading: "Cargando los artículos",
    error: {
      heading: "Error al Cargar los Artículos",
      text: "No pudimos mostrar los artículos. Por favor, inténtalo de nuevo más tarde.",
    },
    empty: {
      heading: "No Se Encontraron Artículos",
      text: "Estamos preparando nuevos contenidos. Vuelve pronto para leerlos.",
    },
    newsletter: {
      heading: "Recibe consejos de salud dental",
      text: "Déjanos tu correo para recibir nuestros próximos artículos.",
      label: "Correo electrónico",
      placeholder: "Tu correo electrónico",
      submit: "Suscribirse",
      privacy: "Respetamos tu privacidad: tu información no será compartida con nadie.",
    },
  },
  article: {
    meta: {
      title: (title: string) => `${title} | ${clinic.name}`,
    },
    published: "Publicado el",
    loading: "Cargando el artículo",
    share: {
      heading: "Comparte este artículo",
      facebook: "Compartir en Facebook",
      twitter: "Compartir en Twitter",
      linkedin: "Compartir en LinkedIn",
      email: "Enviar por correo electrónico",
      mailBody: (url: string) =>
        `Te comparto este artículo sobre salud dental que puede interesarte: ${url}`,
    },
    disclaimer: "Este artículo es informativo y no sustituye la valoración de un profesional.",
    back: "Volver al Blog de Salud Dental",
  },
} as const;
