import { personTexts } from "../../content/dashboardPerson";
import { formatMoment } from "../../content/dates";
import { Button, ButtonLink } from "../../ui/Button";
import { showToast } from "../../ui/toasts";
import { FormFailure } from "../shared/FormFailure";
import { AskedTogether, QueryState } from "../shared/QueryState";
import { TitledDialog } from "../shared/TitledDialog";
import { PersonErasure } from "./PersonErasure";
import { copyOf, type Person, usePerson, useRestriction } from "./person";
import type { Contact } from "./queries";

const texts = personTexts;

interface PersonDialogProps {
  readonly contact: Contact;
  readonly name: string;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** What is kept of the person of a contact, and what they may ask for. */
export function PersonDialog({ contact, name, open, onClose }: PersonDialogProps) {
  const person = usePerson(contact, open);
  return (
    <TitledDialog
      className="max-w-lg"
      closable
      description={texts.description}
      onClose={onClose}
      open={open}
      title={texts.title(name)}
    >
      <AskedTogether value={false}>
        <QueryState query={person} texts={texts} />
      </AskedTogether>
      {person.data && (
        <>
          <Records person={person.data} />
          <Copies contact={contact} />
          <Restriction contact={contact} restricted={contact.restricted} />
          <PersonErasure contact={contact} onClose={onClose} person={person.data} />
        </>
      )}
    </TitledDialog>
  );
}

function Records({ person: { records } }: { readonly person: Person }) {
  return (
    <ul className="mt-4 divide-y divide-sand-200 border-sand-200 border-y text-sm">
      {records.map((record) => (
        <li className="py-2" key={record.id}>
          <p className="font-medium text-ink-900">
            {texts.kind[record.kind]}
            <span className="font-normal text-ink-500">
              {" "}
              · {formatMoment(new Date(record.cameAt))} · {texts.foundBy[record.foundBy]}
            </span>
          </p>
          <p className="text-ink-600">{heldIn(record)}</p>
        </li>
      ))}
    </ul>
  );
}

function heldIn({ texts: said, bookings, notes, erased, restricted }: Person["records"][number]) {
  return [
    said > 0 && texts.texts(said),
    bookings > 0 && texts.bookings(bookings),
    notes > 0 && texts.notes(notes),
    erased && texts.erased,
    restricted && texts.restricted,
  ]
    .filter(Boolean)
    .join(" · ");
}

function Copies({ contact }: { readonly contact: Contact }) {
  const { title, hint, html, json } = texts.export;
  return (
    <section className="mt-5">
      <h3 className="font-semibold text-ink-900">{title}</h3>
      <p className="text-ink-600 text-sm">{hint}</p>
      <div className="mt-2 flex flex-wrap gap-2">
        <ButtonLink download href={copyOf(contact, "html")} size="small" variant="secondary">
          {html}
        </ButtonLink>
        <ButtonLink download href={copyOf(contact, "json")} size="small" variant="secondary">
          {json}
        </ButtonLink>
      </div>
    </section>
  );
}

interface RestrictionProps {
  readonly contact: Contact;
  readonly restricted: boolean;
}

function Restriction({ contact, restricted }: RestrictionProps) {
  const { title, hint, on, off, failure, done, lifted } = texts.restrict;
  const change = useRestriction(contact);
  const set = () => {
    if (change.isPending) return;
    change.mutate(!restricted, {
      onSuccess: ({ pending }) =>
        showToast({
          title: restricted ? lifted : done,
          description: pending ? texts.pending : undefined,
        }),
    });
  };
  return (
    <section className="mt-5">
      <h3 className="font-semibold text-ink-900">{title}</h3>
      <p className="text-ink-600 text-sm">{hint}</p>
      <Button
        aria-disabled={change.isPending}
        className="mt-2"
        onClick={set}
        size="small"
        variant="secondary"
      >
        {restricted ? off : on}
      </Button>
      <FormFailure error={change.error} otherwise={failure} />
    </section>
  );
}
