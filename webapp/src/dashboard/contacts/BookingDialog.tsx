import { type FormEvent, useState } from "react";
import { contactTexts } from "../../content/dashboardContacts";
import { formatMoment, formatTime } from "../../content/dates";
import { interfaceTexts } from "../../content/interface";
import { dayOf, formatIsoDay, instantOf } from "../../content/zone";
import { Button } from "../../ui/Button";
import { showToast } from "../../ui/toasts";
import { Choice } from "../shared/Choice";
import { Field } from "../shared/Field";
import { FormFailure } from "../shared/FormFailure";
import { TitledDialog } from "../shared/TitledDialog";
import { type Contact, useBooking, useSpecialties } from "./queries";

const texts = contactTexts.appointment;

interface BookingDialogProps {
  readonly contact: Contact;
  readonly name: string;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Where the staff books the appointment that was agreed upon, or cancels it. */
export function BookingDialog({ contact, name, ...dialog }: BookingDialogProps) {
  return (
    <TitledDialog
      {...dialog}
      className="max-w-md"
      description={texts.description}
      title={texts.title(name)}
    >
      <BookingForm contact={contact} onClose={dialog.onClose} />
    </TitledDialog>
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
        <Field
          label={texts.day}
          min={formatIsoDay(dayOf(new Date(contact.cameAt)))}
          onText={setDay}
          required
          type="date"
          value={day}
        />
        <Field label={texts.time} onText={setTime} required step={300} type="time" value={time} />
      </div>
      <Choice
        className="mt-3"
        label={texts.specialty}
        onSelect={setSpecialty}
        options={useSpecialties(specialty)}
        value={specialty}
      />
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
