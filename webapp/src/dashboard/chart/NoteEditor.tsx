import { type FormEvent, useState } from "react";
import { newId } from "../../api/identity";
import { chartTexts } from "../../content/dashboardCharts";
import { Button } from "../../ui/Button";
import { Field } from "../shared/Field";
import { FormFailure } from "../shared/FormFailure";
import { type ChartNote, useNoteChange } from "./queries";
import { daysOf } from "./series";

const texts = chartTexts.notes;
const longest = 120;

interface NoteEditorProps {
  readonly notes: readonly ChartNote[];
  readonly mayWrite: boolean;
  /** The day that is offered for a new note. */
  readonly day: string;
  readonly onSaved: () => void;
}

/** The notes, which can be removed, and the form of a new one. */
export default function NoteEditor({ notes, mayWrite, day, onSaved }: NoteEditorProps) {
  return (
    <>
      {notes.length > 0 && (
        <ul className="mt-4 space-y-3">
          {notes.map((note) => (
            <NoteItem key={note.id} mayRemove={mayWrite} note={note} />
          ))}
        </ul>
      )}
      {notes.length === 0 && !mayWrite && <p className="mt-4 text-ink-600">{texts.none}</p>}
      {mayWrite && <NoteForm day={day} onSaved={onSaved} />}
    </>
  );
}

interface NoteItemProps {
  readonly note: ChartNote;
  readonly mayRemove: boolean;
}

function NoteItem({ note, mayRemove }: NoteItemProps) {
  const change = useNoteChange();
  return (
    <li className="flex items-start justify-between gap-3">
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <p className="text-ink-900">{note.text}</p>
        <p className="text-ink-500 text-sm">{daysOf(note)}</p>
        <FormFailure error={change.error} otherwise={texts.removeFailure} />
      </div>
      {mayRemove && (
        <Button
          aria-disabled={change.isPending}
          aria-label={`${texts.remove}: ${note.text}`}
          onClick={() => !change.isPending && change.mutate({ ...note, text: "" })}
          size="small"
          variant="quiet"
        >
          {texts.remove}
        </Button>
      )}
    </li>
  );
}

interface NoteFormProps {
  /** The day that is offered. */
  readonly day: string;
  readonly onSaved: () => void;
}

function NoteForm({ day, onSaved }: NoteFormProps) {
  const [note, setNote] = useState(() => ({ id: newId(), startDay: day, endDay: day, text: "" }));
  const [incomplete, setIncomplete] = useState(false);
  const change = useNoteChange();
  const save = (event: FormEvent) => {
    event.preventDefault();
    const missing = !(note.text.trim() && note.startDay && note.endDay);
    setIncomplete(missing);
    if (!missing && !change.isPending) change.mutate(note, { onSuccess: onSaved });
  };
  return (
    <form className="mt-4" noValidate onSubmit={save}>
      <Field
        label={texts.text}
        maxLength={longest}
        onText={(text) => setNote({ ...note, text })}
        placeholder={texts.placeholder}
        required
        value={note.text}
      />
      <div className="mt-3 grid grid-cols-2 gap-3">
        <Field
          label={texts.from}
          // One day, until the last one is changed.
          onText={(startDay) => setNote({ ...note, startDay, endDay: startDay })}
          required
          type="date"
          value={note.startDay}
        />
        <Field
          label={texts.to}
          min={note.startDay}
          onText={(endDay) => setNote({ ...note, endDay })}
          required
          type="date"
          value={note.endDay}
        />
      </div>
      <FormFailure
        error={change.error}
        otherwise={texts.failure}
        wrong={incomplete ? texts.missing : undefined}
      />
      <Button aria-disabled={change.isPending} className="mt-5" type="submit">
        {change.isPending ? texts.saving : texts.save}
      </Button>
    </form>
  );
}
