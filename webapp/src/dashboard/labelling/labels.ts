import type { Schemas } from "../../api/client";
import { intentName, labelTexts as texts } from "../../content/dashboardLabels";
import type { Label, Question } from "./queries";

type Choices = Schemas["LabelChoices"];

/** What can be chosen, by how staff reads it: intents first, then the clinic's answers. */
export function choicesByText(choices: Choices | undefined): ReadonlyMap<string, Label> {
  const { intents = [], answers = [] } = choices ?? {};
  return new Map<string, Label>([
    ...intents.map((name) => [intentName(name), { kind: "intent", name }] as const),
    ...answers.map(
      ({ slug, question }) =>
        [texts.answerChoice(question, slug), { kind: "answer", name: slug }] as const,
    ),
  ]);
}

/** The intents that a question was nearly taken for, and that can be chosen, the likeliest first. */
export function suggested(question: Question, choices: ReadonlyMap<string, Label>): string[] {
  const near = [question.intent, question.runnerUp].filter((intent) => intent !== undefined);
  return [...new Set(near)].filter((intent) => choices.get(intentName(intent))?.name === intent);
}

/** A label as staff reads it. */
export function labelName({ kind, name = "" }: Label): string {
  if (kind === "intent") return texts.labelled(intentName(name));
  if (kind === "answer") return texts.labelled(texts.answer(name, undefined));
  return kind === "skipped" ? texts.skipped : texts.labelled(texts.offTopic);
}

/** What a question was taken for, in words. */
export function understanding(question: Question): string {
  const { intent, confidence, runnerUp, runnerUpConfidence } = question;
  if (!intent) return texts.unknown;
  if (intent === "otro" && runnerUp && confidence === runnerUpConfidence) {
    return texts.unsure(runnerUp, runnerUpConfidence);
  }
  const first = texts.understood(intent, confidence);
  return runnerUp ? `${first}; ${texts.runnerUp(runnerUp, runnerUpConfidence)}` : first;
}
