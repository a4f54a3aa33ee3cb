import { type FormEvent, type ReactNode, useId, useState } from "react";
import { contactTexts } from "../../content/dashboardContacts";
import { formatMoment, formatTime } from "../../content/dates";
import { interfaceTexts } from "../../content/interface";
import { dayOf, formatIsoDay, instantOf } from "../../content/zone";
import { Button } from "../../ui/Button";
import { classes } from "../../ui/classes";
import { showToast } from "../../ui/toasts";
import { FormFailure } from "../shared/FormFailure";
import { CancelBooking } from "./CancelBooking";
import { type Contact, useBooking } from "./queries";
import { SpecialtySelect } from "./SpecialtySelect";

const texts = contactTexts.appointment;

interface BookingFormProps {
  readonly contact: Contact;
  readonly onClose: () => void;
}

/** Day, time and specialty of an appointment; one that is booked can be cancelled. */
export function BookingForm({ contact, onClose }: BookingFormProps) {
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
