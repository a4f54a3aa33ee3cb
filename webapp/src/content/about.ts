import { clinic } from "./clinic";

export const aboutTexts = {
  meta: {
    title: `Conócenos | ${clinic.name}`,
    description:
      "Historia, misión, visión y valores de la clínica, y los siete profesionales que te atienden en Vía España, Ciudad de Panamá.",
  },
  hero: {
    title: "Conócenos",
    text: "Un equipo de especialistas que trabaja junto para que entiendas tu salud dental y decidas con confianza.",
    tagline: "Al servicio de la Ciudad de Panamá desde 2005",
  },
  history: {
    heading: "Nuestra historia",
    paragraphs: [
      `${clinic.name} fue fundada en 2011 con una idea sencilla: que una persona pudiera resolver su salud dental en un solo lugar, con especialistas que hablan entre sí.`,
      "Empezamos con pocas áreas y crecimos al ritmo de lo que nuestros pacientes necesitaban: primero la ortodoncia, la endodoncia y las encías; después los implantes, la rehabilitación oral y la odontología láser. Hoy reunimos más de 15 años de excelencia y atendemos a familias que llegan por recomendación de otras familias.",
      "Seguimos en Vía España, en el Edificio Plaza Regency, y conservamos la costumbre del primer día: escuchar antes de examinar y explicar antes de tratar.",
    ],
    milestones: [
      { value: "2011", label: "año de fundación" },
      { value: "15+", label: "años de excelencia" },
      { value: "7", label: "profesionales en el equipo" },
    ],
  },
  mission: {
    heading: "Misión",
    text: "Brindar atención dental especializada y de calidad, con calidez, seguridad y mejora continua, para que cada persona conserve su salud bucal y comprenda su tratamiento.",
  },
  vision: {
    heading: "Visión",
    text: "Ser una clínica dental integral líder en Panamá, reconocida por la preparación de sus especialistas, el uso responsable de la tecnología y el trato humano.",
  },
  values: {
    heading: "Nuestros valores",
    items: [
      {
        title: "Compromiso",
        text: "Acompañamos cada tratamiento hasta el final y después de él, con controles y mantenimiento.",
        icon: "handshake",
      },
      {
        title: "Empatía",
        text: "Entendemos el temor, el dolor y las dudas. Vamos a tu ritmo y nunca juzgamos.",
        icon: "heart",
      },
      {
        title: "Innovación",
        text: "Incorporamos técnicas y equipos cuando hay razones para pensar que te benefician.",
        icon: "lightbulb",
      },
      {
        title: "Educación",
        text: "Enseñamos a cuidar la boca en casa y seguimos formándonos cada año.",
        icon: "book-open",
      },
      {
        title: "Puntualidad",
        text: "Tu tiempo vale. Planificamos las citas con realismo y avisamos si algo se retrasa.",
        icon: "clock",
      },
      {
        title: "Integridad",
        text: "Recomendamos lo que recomendaríamos a nuestra familia, y también decimos cuándo no hace falta tratar.",
        icon: "scale-balanced",
      },
    ],
  },
  reasons: {
    heading: "Tres razones para elegirnos",
    items: [
      {
        title: "Experiencia profesional",
        text: "Siete profesionales, cada uno en el área en la que se especializó, con reuniones clínicas para los casos complejos.",
        icon: "user-doctor",
      },
      {
        title: "Tecnología avanzada",
        text: "Imágenes en tres dimensiones, escaneo digital y láser para diagnosticar y planificar con más detalle.",
        icon: "microscope",
      },
      {
        title: "Atención personalizada",
        text: "Un plan escrito, por etapas y con presupuesto, pensado para tu salud, tus metas y tus tiempos.",
        icon: "hand-holding-heart",
      },
    ],
  },
  team: {
    heading: "Nuestro equipo",
    intro:
      "Siete profesionales que comparten pacientes, criterios y el gusto por explicar bien las cosas.",
    profile: "Ver perfil",
    profileOf: (name: string) => `Ver el perfil de ${name}`,
    photoAlt: (name: string) => `Retrato ilustrado de ${name}`,
    members: [
      {
        name: "Dra. Irina Solanilla",
        title: "Ortodoncista",
        specialty: "Ortodoncia y odontología láser",
        bio: "Acompaña a niños, adolescentes y adultos en tratamientos con brackets y alineadores, y usa el láser en tejidos blandos.",
        path: "/about/irina-solanilla",
      },
      {
        name: "Dra. Noelia Barsallo",
        title: "Endodoncista",
        specialty: "Endodoncia",
        bio: "Se dedica a conservar dientes con la pulpa dañada, con aumento visual y especial cuidado por el control del dolor.",
        path: "/about/noelia-barsallo",
      },
      {
        name: "Dr. Tadeo Villalaz",
        title: "Periodoncista e implantólogo",
        specialty: "Periodoncia e implantología",
        bio: "Trata las enfermedades de las encías y coloca implantes, siempre sobre una base sana y con mantenimiento.",
        path: "/about/tadeo-villalaz",
      },
      {
        name: "Dr. Anselmo Pittí",
        title: "Rehabilitador oral",
        specialty: "Rehabilitación oral y estética",
        bio: "Coordina los casos que combinan varias especialidades y diseña coronas, puentes y prótesis.",
      },
      {
        name: "Dr. Fermín Arauz",
        title: "Cirujano maxilofacial",
        specialty: "Cirugía oral y maxilofacial",
        bio: "Realiza extracciones complejas, cirugía de muelas del juicio y reconstrucción de hueso.",
      },
      {
        name: "Dr. Eliécer Samudio",
        title: "Endodoncista",
        specialty: "Endodoncia y retratamientos",
        bio: "Atiende conductos de anatomía difícil y tratamientos previos que necesitan repetirse.",
      },
      {
        name: "Dra. Mireya Castrellón",
        title: "Rehabilitadora oral",
        specialty: "Prótesis y diseño de sonrisa",
        bio: "Une función y estética en carillas, prótesis y rehabilitaciones sobre implantes.",
      },
    ],
  },
} as const;
