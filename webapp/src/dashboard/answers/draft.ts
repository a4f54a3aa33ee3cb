/** An answer while it is written. */
import type { Schemas } from "../../api/client";
import { addressed } from "../../content/fill";
import { folded } from "../../content/folded";
import type { AnswerDraft } from "./queries";

export interface Typed {
  /** What a new answer is named after. */
  readonly title: string;
  /** The slug and the version of the answer that is changed; undefined for a new one. */
  readonly changes: { readonly slug: string; readonly version: number } | undefined;
  readonly topic: string;
  readonly service: string;
  readonly aspect: string;
  /** One a line. */
  readonly questions: string;
  readonly text: string;
  readonly english: string;
  readonly reason: string;
}

const titleWords = 6;

/** What stands in the place of something personal in a question tells nothing of what is asked. */
const masks = /\[(?:nombre|teléfono|correo|documento)\]/g;

function linesOf(questions: readonly string[]): string {
  return questions.map((text) => text.replace(masks, "").replace(/\s+/g, " ").trim()).join("\n");
}

/** A new answer to some questions. */
export function blankDraft(topic: string, questions: readonly string[]): Typed {
  const lines = linesOf(questions);
  const words = (lines.split("\n")[0] ?? "").replace(/[¿?¡!.,]/g, "").split(" ");
  return {
    title: words.slice(0, titleWords).join(" "),
    changes: undefined,
    topic,
    service: "",
    aspect: "",
    questions: lines,
    text: "",
    english: "",
    reason: "",
  };
}

/** An answer that there is, with further questions. */
export function draftOf(answer: Schemas["Answer"], questions: readonly string[]): Typed {
  const { slug, version, topic, service, aspect, text, english } = answer;
  const further = questions.filter((text) => !answer.questions.includes(text));
  const lines = linesOf([...answer.questions, ...further]);
  const changes = { slug, version };
  return {
    title: slug,
    changes,
    topic,
    service,
    aspect,
    questions: lines,
    text,
    english,
    reason: "",
  };
}

/** The name under which an answer is kept. */
export function slugOf({ changes, title }: Typed): string {
  return (
    changes?.slug ??
    folded(title)
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "")
  );
}

/** What is sent of it. */
export function sentOf(typed: Typed): AnswerDraft {
  const { changes, topic, service, aspect, questions, text, english, reason } = typed;
  return {
    slug: slugOf(typed),
    topic,
    service,
    aspect,
    questions: questions.split("\n").filter((line) => line.trim()),
    text,
    english,
    reason,
    ...(changes && { version: changes.version }),
  };
}

/** A text in the clinic's form of address, with its facts in the place of their names. */
export function filledWith(text: string, facts: readonly Schemas["TextFact"][]): string {
  return facts.reduce((filled, { name, value }) => filled.replaceAll(name, value), addressed(text));
}
