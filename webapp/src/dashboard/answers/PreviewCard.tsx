import type { Schemas } from "../../api/client";
import { answersTexts } from "../../content/dashboardAnswers";
import { Button } from "../../ui/Button";
import { Card } from "../../ui/Card";
import { FormFailure } from "../shared/FormFailure";
import type { usePreview } from "./queries";

const texts = answersTexts.preview;

interface PreviewCardProps {
  readonly preview: ReturnType<typeof usePreview>;
  readonly onStart: () => void;
}

/** What the answer would change of what was asked, before anybody is answered with it. */
export function PreviewCard({ preview, onStart }: PreviewCardProps) {
  const { data, isPending, error, progress, stop } = preview;
  return (
    <Card className="p-5 sm:p-6">
      <section aria-busy={isPending} aria-label={texts.title}>
        <h2 className="font-semibold text-ink-900 text-lg">{texts.title}</h2>
        <p className="mt-1 text-[0.9375rem] text-ink-600">{texts.hint}</p>
        {isPending && (
          <div className="mt-3">
            <progress
              aria-label={texts.title}
              className="block h-2 w-full accent-teal-700"
              max={progress?.of ?? 1}
              value={progress?.conversations}
            />
            <p className="mt-1 text-ink-600 text-sm tabular-nums" role="status">
              {progress
                ? texts.progress(progress.conversations, progress.of, progress.questions)
                : texts.starting}
            </p>
          </div>
        )}
        <FormFailure error={error} otherwise={texts.failed} />
        {data && <Result preview={data} />}
        <Button className="mt-4" onClick={isPending ? stop : onStart} variant="secondary">
          {isPending ? texts.stop : data ? texts.again : texts.start}
        </Button>
      </section>
    </Card>
  );
}

function Result({ preview }: { readonly preview: Schemas["AnswerPreview"] }) {
  const { questions, conversations, capped, answered, changed } = preview;
  return (
    <div className="mt-3" role="status">
      <p className="text-ink-700">{texts.read(questions, conversations)}</p>
      <p className="mt-1 text-ink-500 text-sm">
        {texts.how} {capped && texts.capped}
      </p>
      <Effects effects={answered} title={texts.answered(answered.questions, answered.times)} />
      <Effects effects={changed} title={texts.changed(changed.questions, changed.times)} />
    </div>
  );
}

interface EffectsProps {
  readonly title: string;
  readonly effects: Schemas["AnswerEffects"];
}

function Effects({ title, effects: { questions, examples } }: EffectsProps) {
  return (
    <section className="mt-4">
      <h3 className="font-semibold text-ink-900">{title}</h3>
      {examples.length === 0 && <p className="text-ink-500 text-sm">{texts.none}</p>}
      {examples.length < questions && (
        <p className="text-ink-500 text-sm">{texts.some(examples.length, questions)}</p>
      )}
      <ul className="divide-y divide-sand-200">
        {examples.map((example) => (
          <Example example={example} key={`${example.question} ${example.now}`} />
        ))}
      </ul>
    </section>
  );
}

function Example({ example }: { readonly example: Schemas["AnswerExample"] }) {
  const { question, now, taught, times, inContext } = example;
  const notes = [
    ...(times > 1 ? [texts.times(times)] : []),
    ...(inContext ? [texts.context] : []),
  ].join(" · ");
  return (
    <li className="py-3 [overflow-wrap:anywhere]">
      <p className="font-medium text-ink-900">
        «{question}»{notes && <span className="font-normal text-ink-500 text-sm"> · {notes}</span>}
      </p>
      <dl className="mt-1 grid gap-x-6 gap-y-2 text-[0.9375rem] sm:grid-cols-2">
        {(
          [
            [texts.now, now],
            [texts.taught, taught],
          ] as const
        ).map(([name, text]) => (
          <div key={name}>
            <dt className="text-ink-500 text-sm">{name}</dt>
            <dd className="whitespace-pre-line text-ink-700">{text || texts.booking}</dd>
          </div>
        ))}
      </dl>
    </li>
  );
}
