/** The texts of the page that shows the queue beside what people wrote. */
export const inboxTexts = {
  subtitle: "Quién espera, con lo que escribió",
  choose: "Elija a alguien de la cola",
  chooseHint: "Aquí se lee lo que escribió.",
  gone: "Esta persona ya no espera",
  goneHint: "Alguien la atendió o queda para otro día.",
  back: "Volver a la cola",
  wrote: "Escribió por el formulario de contacto",
  previous: "Persona anterior",
  next: "Persona siguiente",
} as const;
