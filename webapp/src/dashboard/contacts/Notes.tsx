import { type FormEvent, useRef } from "react";
import { newId } from "../../api/identity";
import { contactTexts } from "../../content/dashboardContacts";
import { formatMoment } from "../../content/dates";
import { Button } from "../../ui/Button";
import { useDraft } from "../../ui/drafts";
import { serverMessage } from "../shared/serverMessage";
import { TextField } from "../shared/TextField";
import { type Contact, noteDraft, useNewNote } from "./queries";

const texts = contactTexts.notes;
const longest = 2000;

interface NotesProps {
  readonly contact: Contact;
  readonly name: string;
}

/** What was written down about a contact, and a field for more. */
export function Notes({ contact, name }: NotesProps) {
  return (
    <section aria-label={texts.of(name)} className="mt-3 rounded-xl bg-sand-50 p-4">
      {contact.notes.length > 0 && (
        <ol className="mb-4 space-y-3">
          {contact.notes.map(({ id, text, author, writtenAt }) => (
            <li key={id}>
              <p className="whitespace-pre-wrap text-[0.9375rem] text-ink-900 [overflow-wrap:anywhere]">
                {text || <em className="text-ink-500">{texts.erased}</em>}
              </p>
              <p className="text-ink-500 text-sm [overflow-wrap:anywhere]">
                {author ?? texts.noAuthor}
                {" · "}
                <time className="tabular-nums" dateTime={writtenAt}>
                  {formatMoment(new Date(writtenAt))}
                </time>
              </p>
            </li>
          ))}
        </ol>
      )}
      {!contact.erased && <NoteForm contact={contact} />}
    </section>
  );
}

function NoteForm({ contact }: { readonly contact: Contact }) {
  const [text, setText] = useDraft(noteDraft(contact));
  const note = useNewNote(contact);
  /** A repetition of the same note carries the same id. */
  const change = useRef<{ text: string; id: string }>(undefined);
  const reason = serverMessage(note.error);

  const save = (event: FormEvent) => {
    event.preventDefault();
    const written = text.trim();
    if (!written || note.isPending) return;
    if (change.current?.text !== written) change.current = { text: written, id: newId() };
    note.mutate(
      { change: change.current.id, text: written },
      {
        onSuccess() {
          change.current = undefined;
          // What was typed on meanwhile stays.
          setText((now) => (now.trim() === written ? "" : now));
        },
      },
    );
  };

  return (
    <form className="no-print" onSubmit={save}>
      <TextField
        label={texts.label}
        maxLength={longest}
        onText={setText}
        placeholder={texts.placeholder}
        rows={2}
        value={text}
      />
      {note.isError && (
        <p className="mt-2 text-bad-700 text-sm" role="alert">
          {texts.failure}
          {reason && ` ${reason}`}
        </p>
      )}
      <Button
        aria-disabled={!text.trim() || note.isPending}
        className="mt-2"
        size="small"
        type="submit"
      >
        {note.isPending ? texts.saving : texts.save}
      </Button>
    </form>
  );
}
