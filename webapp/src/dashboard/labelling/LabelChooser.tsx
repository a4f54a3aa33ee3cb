import { type FormEvent, useState } from "react";
import { intentName, labelTexts as texts } from "../../content/dashboardLabels";
import { Button } from "../../ui/Button";
import { suggested } from "./labels";
import type { Label, Question } from "./queries";

interface LabelChooserProps {
  readonly question: Question;
  readonly choices: ReadonlyMap<string, Label>;
  /** The id of the list of choices. */
  readonly choicesList: string;
  readonly busy: boolean;
  readonly onChoose: (label: Label) => void;
}

/** The ways to say what a question means: what it was nearly taken for, or any other choice. */
export function LabelChooser({
  question,
  choices,
  choicesList,
  busy,
  onChoose,
}: LabelChooserProps) {
  const [typed, setTyped] = useState("");
  const [refused, setRefused] = useState(false);
  const { text } = question;
  const choose = (label: Label) => !busy && onChoose(label);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const label = choices.get(typed.trim());
    setRefused(!label);
    if (label) choose(label);
  };
  return (
    <fieldset
      aria-label={texts.choices(text)}
      className="no-print flex flex-wrap items-center gap-2"
    >
      {suggested(question, choices).map((name) => (
        <Choice
          busy={busy}
          key={name}
          onChoose={() => choose({ kind: "intent", name })}
          text={intentName(name)}
        />
      ))}
      <Choice busy={busy} onChoose={() => choose({ kind: "off-topic" })} text={texts.offTopic} />
      <Choice busy={busy} onChoose={() => choose({ kind: "skipped" })} text={texts.skip} />
      <form className="flex w-full flex-wrap items-center gap-2 sm:w-auto" onSubmit={submit}>
        <input
          aria-invalid={refused}
          aria-label={texts.otherOf(text)}
          className="min-h-9 min-w-0 flex-1 rounded-lg border border-sand-300 bg-white px-3 text-ink-900 text-sm placeholder:text-ink-500 sm:w-64"
          list={choicesList}
          onChange={({ target }) => setTyped(target.value)}
          placeholder={texts.other}
          value={typed}
        />
        <Button aria-disabled={busy} size="small" type="submit" variant="secondary">
          {texts.label}
        </Button>
        {refused && (
          <p className="w-full text-sm text-warn-800" role="alert">
            {texts.noChoice}
          </p>
        )}
      </form>
    </fieldset>
  );
}

interface ChoiceProps {
  readonly text: string;
  readonly busy: boolean;
  readonly onChoose: () => void;
}

function Choice({ text, busy, onChoose }: ChoiceProps) {
  return (
    <Button aria-disabled={busy} onClick={onChoose} size="small" variant="secondary">
      {text}
    </Button>
  );
}
