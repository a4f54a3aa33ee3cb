import { clinic } from "./clinic";

export const doctorTexts = {
  specialties: "Especialidades",
  profile: "Perfil profesional",
  training: "Formación académica",
  affiliations: "Afiliaciones profesionales",
  book: "Solicitar Cita",
  back: "Volver al equipo",
  photoAlt: (name: string) => `Retrato ilustrado de ${name}`,
} as const;

/** A professional with a page of their own. */
export interface Doctor {
  /** The last part of the page's address. */
  readonly slug: string;
  readonly name: string;
  readonly title: string;
  readonly specialty: string;
  readonly meta: { readonly title: string; readonly description: string };
  readonly specialties: readonly string[];
  readonly profile: readonly string[];
  readonly training: readonly string[];
  readonly affiliations: readonly string[];
  /** The page about what they do. */
  readonly service: { readonly label: string; readonly path: string };
}

export const doctors: readonly Doctor[] = [
  {
    slug: "irina-solanilla",
    name: "Dra. Irina Solanilla",
    title: "Ortodoncista",
    specialty: "Ortodoncia y odontología láser",
    meta: {
      title: `Dra. Irina Solanilla, ortodoncista | ${clinic.name}`,
      description:
        "Ortodoncia con brackets y alineadores para niños, adolescentes y adultos, y odontología láser. Conoce el perfil y la formación de la Dra. Solanilla.",
    },
    specialties: [
      "Ortodoncia en niños, adolescentes y adultos",
      "Brackets metálicos y estéticos",
      "Alineadores transparentes",
      "Ortopedia de los maxilares en crecimiento",
      "Ortodoncia previa a implantes y rehabilitación",
      "Láser en encías, frenillos y tejidos blandos",
    ],
    profile: [
      "La Dra. Irina Solanilla se dedica a la ortodoncia desde una pregunta sencilla: qué gana cada persona al mover sus dientes. A veces es una mordida más cómoda, a veces poder limpiar mejor, y muchas veces atreverse a sonreír.",
      "Planifica con registros digitales y comparte con el paciente la simulación de los movimientos, sus límites y el tiempo que podrían tomar. En niñas y niños prefiere intervenir solo cuando el momento lo justifica y vigilar el resto.",
      "Su formación en láser le permite acompañar la ortodoncia con procedimientos pequeños, como liberar un diente cubierto por encía o corregir un frenillo, sin que el paciente tenga que cambiar de consultorio.",
    ],
    training: [
      "Doctora en Cirugía Dental",
      "Especialidad en Ortodoncia y Ortopedia Maxilofacial",
      "Diplomado en Odontología Láser",
      "Curso de actualización en alineadores y planificación digital",
    ],
    affiliations: [
      "Asociación odontológica nacional",
      "Sociedad de especialistas en ortodoncia",
      "Grupo latinoamericano de estudio en láser dental",
    ],
    service: { label: "Más sobre ortodoncia", path: "/services/ortodoncia" },
  },
  {
    slug: "noelia-barsallo",
    name: "Dra. Noelia Barsallo",
    title: "Endodoncista",
    specialty: "Endodoncia",
    meta: {
      title: `Dra. Noelia Barsallo, endodoncista | ${clinic.name}`,
      description:
        "Tratamientos de conducto con aumento visual y atención al control del dolor. Conoce el perfil, la formación y las áreas de la Dra. Barsallo.",
    },
    specialties: [
      "Tratamiento de conducto en dientes y muelas",
      "Urgencias por dolor de origen pulpar",
      "Retratamiento de conductos",
      "Traumatismos dentales en adultos y niños",
      "Tratamientos para conservar la pulpa viva",
      "Microcirugía de la punta de la raíz",
    ],
    profile: [
      "La Dra. Noelia Barsallo trabaja para que un diente que duele no sea un diente perdido. Su consulta empieza por distinguir de dónde viene el dolor, porque no todo dolor de muela necesita un conducto.",
      "Atiende con aislamiento y aumento visual, toma las imágenes que hacen falta y explica el pronóstico con franqueza, también cuando la mejor decisión es no tratar. Dedica tiempo a la anestesia: el paciente puede detener el procedimiento en cualquier momento.",
      "Coordina con el equipo de rehabilitación la restauración posterior, porque sabe que un buen conducto dura lo que dura su corona.",
    ],
    training: [
      "Doctora en Cirugía Dental",
      "Especialidad en Endodoncia",
      "Curso avanzado en microscopía y microcirugía endodóntica",
      "Curso de manejo del trauma dental",
    ],
    affiliations: [
      "Asociación odontológica nacional",
      "Sociedad de especialistas en endodoncia",
      "Red latinoamericana de estudio del trauma dental",
    ],
    service: { label: "Más sobre endodoncia", path: "/services/endodoncia" },
  },
  {
    slug: "tadeo-villalaz",
    name: "Dr. Tadeo Villalaz",
    title: "Periodoncista e implantólogo",
    specialty: "Periodoncia e implantología",
    meta: {
      title: `Dr. Tadeo Villalaz, periodoncista | ${clinic.name}`,
      description:
        "Tratamiento de encías, cirugía periodontal e implantes dentales con mantenimiento. Conoce el perfil y la formación del Dr. Villalaz.",
    },
    specialties: [
      "Diagnóstico y tratamiento de la periodontitis",
      "Mantenimiento periodontal",
      "Cirugía e injertos de encía",
      "Implantes dentales",
      "Regeneración de hueso",
      "Tratamiento de las enfermedades de los implantes",
    ],
    profile: [
      "El Dr. Tadeo Villalaz suele decir que los dientes se pierden más por lo que los rodea que por ellos mismos. Por eso empieza por las encías, incluso cuando el paciente llega preguntando por un implante.",
      "Mide, fotografía y compara en cada control, de modo que el paciente vea su propio avance. En los casos de implantes planifica con tomografía y trabaja junto al rehabilitador: primero se decide cómo será el diente y después dónde irá su raíz.",
      "Presta especial atención a las personas con diabetes, a quienes fuman y a quienes toman medicamentos para los huesos o la circulación, y consulta con sus médicos cuando hace falta.",
    ],
    training: [
      "Doctor en Cirugía Dental",
      "Especialidad en Periodoncia",
      "Especialización en Implantología Oral",
      "Curso avanzado en regeneración de tejidos",
    ],
    affiliations: [
      "Asociación odontológica nacional",
      "Sociedad de especialistas en periodoncia",
      "Grupo latinoamericano de estudio en implantología",
    ],
    service: { label: "Más sobre periodoncia", path: "/services/periodoncia" },
  },
];
