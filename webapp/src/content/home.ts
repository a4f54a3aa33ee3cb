export const homeTexts = {
  description:
    "Clínica dental en Vía España, Ciudad de Panamá. Ortodoncia, implantes, endodoncia, periodoncia y diseño de sonrisa con más de 15 años de excelencia.",
  eyebrow: "Odontología integral en Vía España",
  heading: "Su sonrisa, en manos que escuchan",
  lead: "Más de 15 años de excelencia en el cuidado dental: especialistas, tecnología moderna y el tiempo necesario para explicarle cada paso.",
  book: "Agendar Cita",
  call: "Llamar a la clínica",
  open: "Abierto ahora",
  closed: "Cerrado ahora",
  valuesHeading: "Por qué nos eligen",
  values: [
    {
      title: "Dentistas Expertos",
      text: "Cada tratamiento lo realiza quien se especializó en él, de la endodoncia a la rehabilitación oral.",
    },
    {
      title: "Tecnología Moderna",
      text: "Diagnóstico y planificación digital para tratamientos más precisos y visitas más cortas.",
    },
    {
      title: "Atención Personalizada",
      text: "Escuchamos primero. Usted conoce las opciones, los pasos y los costos antes de decidir.",
    },
  ],
  visitHeading: "Visítenos",
  addressLabel: "Dirección",
  phonesLabel: "Teléfonos",
  emailLabel: "Correo",
  hoursLabel: "Horario",
  hoursCaption: "Horario de atención",
  hoursNote: "Hora de Panamá",
  closing: {
    heading: "¿Listo para su próxima visita?",
    text: "Reserve en línea en un par de minutos, o pregúntele al asistente virtual.",
  },
  nav: { label: "Principal", values: "Por qué nosotros", visit: "Horario y ubicación" },
  staff: "Acceso del personal",
} as const;
