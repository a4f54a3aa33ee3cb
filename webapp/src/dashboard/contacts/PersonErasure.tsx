import { type FormEvent, useState } from "react";
import { personTexts } from "../../content/dashboardPerson";
import { formatMoment } from "../../content/dates";
import { Button } from "../../ui/Button";
import { showToast } from "../../ui/toasts";
import { Field } from "../shared/Field";
import { FormFailure } from "../shared/FormFailure";
import { type Person, useErasure } from "./person";
import type { Contact } from "./queries";

const texts = personTexts.erase;

interface PersonErasureProps {
  readonly contact: Contact;
  readonly person: Person;
  readonly onClose: () => void;
}

/** Erases everything that is kept of a person, once the contact's name was typed. */
export function PersonErasure({ contact, person, onClose }: PersonErasureProps) {
  const [typed, setTyped] = useState("");
  const [cancel, setCancel] = useState(true);
  const [only, setOnly] = useState(false);
  const erasure = useErasure(contact);
  // A restricted contact tells no name: then it is confirmed by the person who knows it.
  const asked = contact.name || contact.phone || contact.email;
  const others = person.records.some(({ foundIn }) => foundIn);
  if (person.records.every(({ erased }) => erased)) return null;

  const erase = (event: FormEvent) => {
    event.preventDefault();
    if (erasure.isPending) return;
    erasure.mutate(
      { confirmation: typed, cancelAppointments: cancel, only },
      {
        onSuccess({ provableBy, pending }) {
          const provable = texts.provable(formatMoment(new Date(provableBy)));
          showToast({
            title: texts.done,
            description: pending ? `${provable} ${personTexts.pending}` : provable,
          });
          onClose();
        },
      },
    );
  };

  return (
    <form className="mt-5 border-sand-200 border-t pt-4" noValidate onSubmit={erase}>
      <h3 className="font-semibold text-bad-700">{texts.title}</h3>
      <p className="text-ink-600 text-sm">{texts.hint}</p>
      {person.appointment && (
        <Choice label={texts.cancel} on={cancel} onChange={setCancel}>
          {texts.appointment(formatMoment(new Date(person.appointment)))}{" "}
        </Choice>
      )}
      {others && <Choice label={texts.only} on={only} onChange={setOnly} />}
      <div className="mt-3">
        <Field
          autoComplete="off"
          label={texts.confirm(asked || texts.unnamed)}
          onText={setTyped}
          value={typed}
        />
      </div>
      <FormFailure error={erasure.error} otherwise={texts.failure} />
      <Button
        aria-disabled={erasure.isPending}
        className="mt-3 text-bad-700!"
        type="submit"
        variant="secondary"
      >
        {erasure.isPending ? texts.erasing : texts.button}
      </Button>
    </form>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
  readonly children?: React.ReactNode;
}

function Choice({ label, on, onChange, children }: ChoiceProps) {
  return (
    <label className="mt-3 flex min-h-9 items-center gap-2 text-ink-900 text-sm">
      <input
        checked={on}
        className="size-5 accent-teal-700"
        onChange={({ target }) => onChange(target.checked)}
        type="checkbox"
      />
      <span>
        {children}
        {label}
      </span>
    </label>
  );
}
