/** Words that lead from the dashboard to the pages on which the assistant is taught answers. */
export const teachingTexts = {
  title: "Respuestas",
  subtitle: "Lo que el personal enseñó al asistente",
  teach: "Enseñar respuesta",
} as const;
