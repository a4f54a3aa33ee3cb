import { type FormEvent, useRef, useState } from "react";
import { useLocation } from "wouter";
import { problemOf } from "../../api/problem";
import { answersTexts } from "../../content/dashboardAnswers";
import { topicName } from "../../content/dashboardFilters";
import { Button } from "../../ui/Button";
import { Card } from "../../ui/Card";
import { showToast } from "../../ui/toasts";
import { Choice } from "../shared/Choice";
import { Field } from "../shared/Field";
import { FormFailure } from "../shared/FormFailure";
import { Hint, TextField } from "../shared/TextField";
import { filledWith, sentOf, slugOf, type Typed } from "./draft";
import { FactPicker } from "./FactPicker";
import { PreviewCard } from "./PreviewCard";
import { type AnswerForm, usePreview, useTeach } from "./queries";

const texts = answersTexts.form;

interface TeachFormProps {
  readonly form: AnswerForm;
  readonly initial: Typed;
}

/** Writes an answer, tries it and publishes it. */
export function TeachForm({ form, initial }: TeachFormProps) {
  const [typed, setTyped] = useState(initial);
  const [, navigate] = useLocation();
  const teach = useTeach();
  const preview = usePreview();
  const tried = preview.data !== undefined;
  const wrong = problemOf(teach.error ?? preview.error)?.fields ?? {};
  const type = (some: Partial<Typed>) => {
    setTyped((before) => ({ ...before, ...some }));
    // What was tried is another answer; for whatever reason it is published.
    if (!("reason" in some)) preview.stop();
    teach.reset();
  };

  const publish = (event: FormEvent) => {
    event.preventDefault();
    if (!tried || teach.isPending) return;
    teach.mutate(sentOf(typed), {
      onSuccess() {
        showToast(texts.published);
        navigate("/dashboard/respuestas");
      },
    });
  };

  return (
    <form className="contents" noValidate onSubmit={publish}>
      <Card className="flex flex-col gap-4 p-5 sm:p-6">
        <h2 className="font-semibold text-ink-900 text-lg">
          {typed.changes ? texts.editing : texts.what}
        </h2>
        <Subject form={form} onType={type} typed={typed} wrong={wrong} />
        <TextField
          hint={texts.questionsHint}
          label={texts.questions}
          onText={(questions) => type({ questions })}
          rows={5}
          value={typed.questions}
          wrong={wrong.questions}
        />
        <AnswerText
          form={form}
          onText={(text) => type({ text })}
          text={typed.text}
          wrong={wrong.text}
        />
        <TextField
          label={texts.english}
          lang="en"
          onText={(english) => type({ english })}
          rows={3}
          value={typed.english}
          wrong={wrong.english}
        />
      </Card>
      <PreviewCard onStart={() => preview.mutate(sentOf(typed))} preview={preview} />
      <Card className="p-5 sm:p-6">
        <Field
          aria-describedby="reason-hint"
          aria-invalid={wrong.reason !== undefined}
          label={texts.reason}
          maxLength={300}
          onText={(reason) => type({ reason })}
          value={typed.reason}
        />
        <Hint hint={texts.reasonHint} id="reason-hint" wrong={wrong.reason} />
        <FormFailure error={teach.error} otherwise={texts.failed} />
        <Button
          aria-describedby="publish-hint"
          aria-disabled={!tried || teach.isPending}
          className="mt-4"
          type="submit"
        >
          {teach.isPending ? texts.publishing : texts.publish}
        </Button>
        <Hint hint={!tried && texts.publishHint} id="publish-hint" />
      </Card>
    </form>
  );
}

interface SubjectProps {
  readonly form: AnswerForm;
  readonly typed: Typed;
  readonly wrong: Readonly<Record<string, string>>;
  readonly onType: (some: Partial<Typed>) => void;
}

/** What the answer is called and about. */
function Subject({ form, typed, wrong, onType }: SubjectProps) {
  const { aspects } = texts;
  const choices = [
    ["topic", texts.noTopic, form.topics.map((topic) => [topic, topicName(topic)] as const)],
    ["service", texts.noService, form.services.map(({ slug, title }) => [slug, title] as const)],
    ["aspect", texts.noAspect, form.aspects.map((a) => [a, aspects[a] ?? topicName(a)] as const)],
  ] as const;
  return (
    <>
      {!typed.changes && (
        <div>
          <Field
            aria-describedby="slug-hint"
            aria-invalid={wrong.slug !== undefined}
            label={texts.name}
            onText={(title) => onType({ title })}
            value={typed.title}
          />
          <Hint
            hint={slugOf(typed) && texts.nameHint(slugOf(typed))}
            id="slug-hint"
            wrong={wrong.slug}
          />
        </div>
      )}
      <div className="flex flex-wrap gap-x-4 gap-y-3">
        {choices.map(([field, none, named]) => (
          <Choice
            className="flex-1 basis-48"
            key={field}
            label={texts[field]}
            onSelect={(chosen) => onType({ [field]: chosen })}
            options={[["", none], ...named]}
            value={typed[field]}
            wrong={wrong[field]}
          />
        ))}
      </div>
    </>
  );
}

interface AnswerTextProps {
  readonly form: AnswerForm;
  readonly text: string;
  readonly wrong: string | undefined;
  readonly onText: (text: string) => void;
}

/** The text of the answer, the facts that it can name, and how it reads with them. */
function AnswerText({ form, text, wrong, onText }: AnswerTextProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const insert = (name: string) => {
    const { selectionStart = text.length, selectionEnd = text.length } = field.current ?? {};
    onText(text.slice(0, selectionStart) + name + text.slice(selectionEnd));
    field.current?.focus();
  };
  return (
    <>
      <TextField
        hint={texts.count(text.length, form.maxText)}
        label={texts.text}
        onText={onText}
        ref={field}
        rows={4}
        value={text}
        wrong={wrong}
      />
      <FactPicker facts={form.facts} onPick={insert} />
      <div>
        <p className="font-medium text-ink-700 text-sm">{texts.filled}</p>
        <output className="mt-1 block rounded-xl bg-sand-50 px-4 py-3 text-ink-900 [overflow-wrap:anywhere]">
          {filledWith(text, form.facts) || <span className="text-ink-500">{texts.nothing}</span>}
        </output>
      </div>
    </>
  );
}
