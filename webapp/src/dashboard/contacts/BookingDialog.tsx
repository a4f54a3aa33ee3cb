import { type FormEvent, type ReactNode, useId, useState } from "react";
import { contactTexts } from "../../content/dashboardContacts";
import { formatMoment, formatTime } from "../../content/dates";
import { interfaceTexts } from "../../content/interface";
import { dayOf, formatIsoDay, instantOf } from "../../content/zone";
import { Button } from "../../ui/Button";
import { classes } from "../../ui/classes";
import { Dialog } from "../../ui/Dialog";
import { showToast } from "../../ui/toasts";
import { FormFailure } from "../shared/FormFailure";
import { type Contact, useBooking } from "./queries";
import { SpecialtySelect } from "./SpecialtySelect";

const texts = contactTexts.appointment;

interface BookingDialogProps {
  readonly contact: Contact;
  readonly name: string;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Where the staff books the appointment that was agreed upon, or cancels it. */
export function BookingDialog({ contact, name, open, onClose }: BookingDialogProps) {
  const title = useId();
  const description = useId();
  return (
    <Dialog
      className="max-w-md"
      describedBy={description}
      labelledBy={title}
      onClose={onClose}
      open={open}
    >
      <div className="p-5 sm:p-6">
        <h2 className="font-semibold text-ink-900 text-lg [overflow-wrap:anywhere]" id={title}>
          {texts.title(name)}
        </h2>
        <p className="mt-1 text-ink-500 text-sm" id={description}>
          {texts.description}
        </p>
        <BookingForm contact={contact} onClose={onClose} />
      </div>
    </Dialog>
  );
}

/** Day, time and specialty of an appointment; one that is booked can be cancelled. */
function BookingForm({ contact, onClose }: Pick<BookingDialogProps, "contact" | "onClose">) {
  const booked = contact.appointment?.cancelled ? undefined : contact.appointment;
  const [day, setDay] = useState(booked ? formatIsoDay(dayOf(new Date(booked.slot))) : "");
  const [time, setTime] = useState(booked ? formatTime(new Date(booked.slot)) : "");
  const [specialty, setSpecialty] = useState(booked?.specialty ?? contact.specialty ?? "");
  const [incomplete, setIncomplete] = useState(false);
  const booking = useBooking(contact);

  const finish = (...toast: Parameters<typeof showToast>) => {
    showToast(...toast);
    onClose();
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    const slot = instantOf(day, time);
    setIncomplete(!slot);
    if (!slot || booking.isPending) return;
    booking.mutate(
      { status: "booked", slot: slot.toISOString(), ...(specialty && { specialty }) },
      { onSuccess: () => finish({ title: texts.saved, description: formatMoment(slot) }) },
    );
  };

  return (
    <form className="mt-4" noValidate onSubmit={save}>
      <div className="grid grid-cols-2 gap-3">
        <Field label={texts.day}>
          {(control) => (
            <input
              {...control}
              min={formatIsoDay(dayOf(new Date(contact.cameAt)))}
              onChange={({ target }) => setDay(target.value)}
              required
              type="date"
              value={day}
            />
          )}
        </Field>
        <Field label={texts.time}>
          {(control) => (
            <input
              {...control}
              onChange={({ target }) => setTime(target.value)}
              required
              step={300}
              type="time"
              value={time}
            />
          )}
        </Field>
      </div>
      <Field className="mt-3 block" label={texts.specialty}>
        {(control) => <SpecialtySelect {...control} onSelect={setSpecialty} selected={specialty} />}
      </Field>
      <FormFailure
        error={booking.error}
        otherwise={texts.failure}
        wrong={incomplete ? texts.missing : undefined}
      />
      <div className="mt-5 flex flex-wrap gap-2">
        <Button aria-disabled={booking.isPending} type="submit">
          {booking.isPending ? texts.saving : texts.save}
        </Button>
        <Button variant="secondary" onClick={onClose}>
          {interfaceTexts.close}
        </Button>
      </div>
      {booked && (
        <CancelBooking
          onCancel={() =>
            booking.mutate(
              { status: "cancelled" },
              { onSuccess: () => finish({ title: texts.removed }) },
            )
          }
        />
      )}
    </form>
  );
}

/** Cancels an appointment, once the question whether that is meant is answered. */
function CancelBooking({ onCancel }: { readonly onCancel: () => void }) {
  const [asking, setAsking] = useState(false);
  return (
    <div className="mt-5 border-sand-200 border-t pt-4">
      {asking ? (
        <div className="flex flex-wrap items-center gap-2">
          <p className="basis-full font-medium text-ink-900 text-sm" role="status">
            {texts.sure}
          </p>
          <Button onClick={onCancel} size="small" variant="secondary">
            {texts.yes}
          </Button>
          <Button autoFocus onClick={() => setAsking(false)} size="small" variant="quiet">
            {texts.no}
          </Button>
        </div>
      ) : (
        <Button onClick={() => setAsking(true)} size="small" variant="quiet">
          {texts.cancel}
        </Button>
      )}
    </div>
  );
}

interface FieldProps {
  readonly label: string;
  readonly className?: string;
  readonly children: (control: { readonly id: string; readonly className: string }) => ReactNode;
}

function Field({ label, className, children }: FieldProps) {
  const id = useId();
  return (
    <label className={classes(className, "font-medium text-ink-700 text-sm")} htmlFor={id}>
      {label}
      {children({
        id,
        className:
          "mt-1 block min-h-11 w-full rounded-lg border border-sand-300 bg-white px-3 text-ink-900",
      })}
    </label>
  );
}
