import { type FormEvent, useState } from "react";
import { problemOf } from "../../api/problem";
import { answersTexts } from "../../content/dashboardAnswers";
import { Button } from "../../ui/Button";
import { showToast } from "../../ui/toasts";
import { Field } from "../shared/Field";
import { FormFailure } from "../shared/FormFailure";
import { TitledDialog } from "../shared/TitledDialog";
import { type TaughtAnswer, useUndo } from "./queries";

const texts = answersTexts.undoing;

interface UndoDialogProps {
  /** The answer whose version is to be taken back; undefined closes the dialog. */
  readonly answer: TaughtAnswer | undefined;
  readonly onClose: () => void;
}

/** Takes the published version of an answer back, once it is said why. */
export function UndoDialog({ answer, onClose }: UndoDialogProps) {
  const title = answer ? texts.title(answer.slug) : "";
  return (
    <TitledDialog className="max-w-md" onClose={onClose} open={answer !== undefined} title={title}>
      {answer && <Undoing answer={answer} onClose={onClose} />}
    </TitledDialog>
  );
}

interface UndoingProps extends UndoDialogProps {
  readonly answer: TaughtAnswer;
}

function Undoing({ answer, onClose }: UndoingProps) {
  const [reason, setReason] = useState("");
  const undo = useUndo(answer.slug);
  const earlier = answer.versions.some(
    ({ version, undone }) => version < answer.version && !undone,
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (undo.isPending) return;
    undo.mutate(
      { version: answer.version, reason },
      {
        onSuccess() {
          showToast(texts.done);
          onClose();
        },
      },
    );
  };
  return (
    <form noValidate onSubmit={submit}>
      <p className="mt-1 mb-3 text-ink-600 text-sm">{earlier ? texts.again : texts.removed}</p>
      <Field label={texts.reason} maxLength={300} onText={setReason} value={reason} />
      <FormFailure
        error={undo.error}
        otherwise={texts.failure}
        wrong={problemOf(undo.error)?.fields?.reason}
      />
      <div className="mt-4 flex flex-wrap gap-2">
        <Button aria-disabled={undo.isPending} type="submit">
          {undo.isPending ? texts.submitting : texts.submit}
        </Button>
        <Button onClick={onClose} variant="secondary">
          {texts.cancel}
        </Button>
      </div>
    </form>
  );
}
