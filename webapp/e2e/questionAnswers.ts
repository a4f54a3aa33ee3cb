/** What the server says about questions whose answers are to be improved. */
import type { components } from "../src/api/schema.gen";

type Schemas = components["schemas"];

const newest = Date.parse("2026-11-20T22:41:00Z");

/** Questions, the most frequent first, one an hour, for each reason in turn; the first one for all. */
export function questions(count: number): Schemas["Question"][] {
  return Array.from({ length: count }, (_, index): Schemas["Question"] => {
    const times = index === 0 ? 3 : 1;
    const due = (reason: number) => (index === 0 || index % 3 === reason ? times : 0);
    return {
      conversationId: `c${index}`,
      ordinal: 2 * index + 1,
      lastAskedAt: new Date(newest - index * 60 * 60_000).toISOString(),
      topic: "clinica",
      text: `¿a cómo sale lo de la foto ${index}?`,
      count: times,
      reply: "Tenemos limpieza, ortodoncia e implantes. ¿De cuál quieres saber más?",
      unanswered: due(0),
      negative: due(1),
      unsure: due(2),
      ...(index === 1 && { answer: "limpieza-dolor" }),
    };
  });
}

export function questionList(
  list: Schemas["Question"][],
  more: Partial<Schemas["Questions"]> = {},
): Schemas["Questions"] {
  const dataThrough = { position: 48211, time: "2026-11-20T23:41:07.120Z" };
  return { questions: list, total: list.length, dataThrough, ...more };
}
