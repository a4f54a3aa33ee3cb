/** What the server says about questions to be labelled. */
import type { components } from "../src/api/schema.gen";

type Schemas = components["schemas"];

const newest = Date.parse("2026-11-20T22:41:00Z");

/** Questions, newest first, one an hour; each fourth was not answered. */
export function questions(count: number): Schemas["QuestionToLabel"][] {
  return Array.from({ length: count }, (_, index): Schemas["QuestionToLabel"] => {
    const unsure = index % 3 === 1;
    return {
      conversationId: `c${index}`,
      ordinal: 2 * index + 1,
      askedAt: new Date(newest - index * 60 * 60_000).toISOString(),
      text: `¿a cómo sale lo de la foto ${index}?`,
      times: index === 0 ? 3 : 1,
      reply: "Tenemos limpieza, ortodoncia e implantes. ¿De cuál quieres saber más?",
      answered: index % 4 !== 3,
      intent: unsure ? "otro" : "servicio",
      confidence: unsure ? 0.31 : 0.62,
      runnerUp: "precio",
      runnerUpConfidence: unsure ? 0.31 : 0.2,
      ...(index === 2 && { answer: "limpieza-dolor", likelihood: 0.41 }),
    };
  });
}

export function toLabel(
  list: Schemas["QuestionToLabel"][],
  more: Partial<Schemas["QuestionsToLabel"]> = {},
): Schemas["QuestionsToLabel"] {
  const dataThrough = { position: 48211, time: "2026-11-20T23:41:07.120Z" };
  return { questions: list, total: list.length, labelled: 0, below: 0.7, dataThrough, ...more };
}

export const labelChoices: Schemas["LabelChoices"] = {
  intents: ["horario", "precio", "servicio"],
  answers: [
    { slug: "limpieza-dolor", topic: "limpieza", question: "¿La limpieza dental duele?" },
    { slug: "wifi", topic: "lugar", question: "¿Hay wifi?" },
  ],
};
