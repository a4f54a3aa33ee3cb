import { useState } from "react";
import { labelTexts as texts } from "../../content/dashboardLabels";
import { formatMoment } from "../../content/dates";
import { Button } from "../../ui/Button";
import { FormFailure } from "../shared/FormFailure";
import { LabelChooser } from "./LabelChooser";
import { labelName, understanding } from "./labels";
import { type Label, type Question, useLabel } from "./queries";

interface QuestionItemProps {
  readonly question: Question;
  readonly choices: ReadonlyMap<string, Label>;
  /** The id of the list of choices. */
  readonly choicesList: string;
  readonly onConversation: (id: string) => void;
}

/** One question: what was asked, understood and answered, and what the staff says of it. */
export function QuestionItem({
  question,
  choices,
  choicesList,
  onConversation,
}: QuestionItemProps) {
  const [changing, setChanging] = useState(false);
  const { mutate, isPending, error } = useLabel(question);
  const choose = (label: Label) => mutate(label, { onSuccess: () => setChanging(false) });
  const { label } = question;
  return (
    <li className="grid gap-2 px-5 py-4 sm:px-6">
      <Asked onConversation={onConversation} question={question} />
      <p className="text-ink-600 text-sm">{understanding(question)}</p>
      <Answered question={question} />
      {label && !changing ? (
        <p className="flex flex-wrap items-center gap-3 font-medium text-sm text-teal-800">
          {labelName(label)}
          <Button onClick={() => setChanging(true)} size="small" variant="quiet">
            {texts.change}
          </Button>
        </p>
      ) : (
        <LabelChooser
          busy={isPending}
          choices={choices}
          choicesList={choicesList}
          onChoose={choose}
          question={question}
        />
      )}
      <FormFailure error={error} otherwise={texts.labelFailure} />
    </li>
  );
}

interface PartProps {
  readonly question: Question;
}

function Asked({
  question,
  onConversation,
}: PartProps & Pick<QuestionItemProps, "onConversation">) {
  const { text, askedAt, times, answered, conversationId } = question;
  return (
    <div>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-500 text-sm tabular-nums">
        <time dateTime={askedAt}>{formatMoment(new Date(askedAt))}</time>
        {times > 1 && <span>{texts.times(times)}</span>}
        {!answered && (
          <span className="rounded-full bg-warn-50 px-2 py-0.5 font-medium text-warn-800">
            {texts.unanswered}
          </span>
        )}
      </p>
      <button
        className="mt-0.5 rounded-sm py-0.5 text-left font-medium text-ink-900 [overflow-wrap:anywhere] hover:underline"
        onClick={() => onConversation(conversationId)}
        title={texts.openQuestion(text)}
        type="button"
      >
        «{text}»
      </button>
    </div>
  );
}

function Answered({ question: { reply, answer, likelihood } }: PartProps) {
  return (
    <p className="line-clamp-3 text-ink-600 text-sm [overflow-wrap:anywhere]">
      <span className="font-medium text-ink-700">{texts.replied}</span> {reply}
      {answer && ` — ${texts.answer(answer, likelihood)}`}
    </p>
  );
}
