import { frameTexts } from "./dashboardFrame";
/** Words that lead from the dashboard to the pages on which the assistant is taught answers. */
export const teachingTexts = {
  title: frameTexts.pages.answers,
  subtitle: "Lo que el personal enseñó al asistente",
  teach: "Enseñar respuesta",
} as const;
