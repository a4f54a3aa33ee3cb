import { type FormEvent, useId, useState } from "react";
import { problemOf } from "../../api/problem";
import { contactTexts } from "../../content/dashboardContacts";
import { topicName } from "../../content/dashboardFilters";
import { formatMoment, formatTime } from "../../content/dates";
import { interfaceTexts } from "../../content/interface";
import { dayOf, formatIsoDay, instantOf, wallClock } from "../../content/zone";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { useToasts } from "../../ui/toasts";
import { type Contact, useBooking, useServices } from "./queries";

const texts = contactTexts.appointment;

interface BookingDialogProps {
  readonly contact: Contact;
  readonly name: string;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Where the staff marks the appointment that was agreed upon, or takes it back. */
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

const fieldLook =
  "mt-1 block min-h-11 w-full rounded-lg border border-sand-300 bg-white px-3 text-ink-900";

function BookingForm({ contact, onClose }: Pick<BookingDialogProps, "contact" | "onClose">) {
  const standing = contact.appointment?.cancelled ? undefined : contact.appointment;
  const field = useId();
  const [day, setDay] = useState(standing ? formatIsoDay(wallClock(new Date(standing.slot))) : "");
  const [time, setTime] = useState(standing ? formatTime(new Date(standing.slot)) : "");
  const [specialty, setSpecialty] = useState(standing?.specialty ?? contact.specialty ?? "");
  const [incomplete, setIncomplete] = useState(false);
  const services = useServices();
  const booking = useBooking(contact);
  const show = useToasts((state) => state.show);

  const options = new Map(services.data?.map((service) => [service.slug, service.title]));
  if (specialty && !options.has(specialty)) options.set(specialty, topicName(specialty));

  const save = (event: FormEvent) => {
    event.preventDefault();
    const slot = instantOf(day, time);
    setIncomplete(!slot);
    if (!slot || booking.isPending) return;
    booking.mutate(
      { status: "booked", slot: slot.toISOString(), ...(specialty && { specialty }) },
      {
        onSuccess() {
          show({ title: texts.saved, description: formatMoment(slot) });
          onClose();
        },
      },
    );
  };

  return (
    <form className="mt-4" noValidate onSubmit={save}>
      <div className="grid grid-cols-2 gap-3">
        <label className="font-medium text-ink-700 text-sm" htmlFor={`${field}-day`}>
          {texts.day}
          <input
            className={fieldLook}
            id={`${field}-day`}
            min={formatIsoDay(dayOf(new Date(contact.cameAt)))}
            onChange={({ target }) => setDay(target.value)}
            required
            type="date"
            value={day}
          />
        </label>
        <label className="font-medium text-ink-700 text-sm" htmlFor={`${field}-time`}>
          {texts.time}
          <input
            className={fieldLook}
            id={`${field}-time`}
            onChange={({ target }) => setTime(target.value)}
            required
            step={300}
            type="time"
            value={time}
          />
        </label>
      </div>
      <label className="mt-3 block font-medium text-ink-700 text-sm" htmlFor={`${field}-for`}>
        {texts.specialty}
        <select
          className={fieldLook}
          id={`${field}-for`}
          onChange={({ target }) => setSpecialty(target.value)}
          value={specialty}
        >
          <option value="">{texts.anySpecialty}</option>
          {Array.from(options, ([slug, title]) => (
            <option key={slug} value={slug}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <Failure error={booking.error} incomplete={incomplete} />
      <div className="mt-5 flex flex-wrap gap-2">
        <Button aria-disabled={booking.isPending} type="submit">
          {booking.isPending ? texts.saving : texts.save}
        </Button>
        <Button variant="secondary" onClick={onClose}>
          {interfaceTexts.close}
        </Button>
      </div>
      {standing && (
        <Cancellation
          onCancel={() =>
            booking.mutate(
              { status: "cancelled" },
              {
                onSuccess() {
                  show({ title: texts.removed });
                  onClose();
                },
              },
            )
          }
        />
      )}
    </form>
  );
}

interface FailureProps {
  readonly error: Error | null;
  readonly incomplete: boolean;
}

function Failure({ error, incomplete }: FailureProps) {
  const problem = problemOf(error);
  if (!error && !incomplete) return null;
  return (
    <p className="mt-3 text-bad-700 text-sm" role="alert">
      {incomplete
        ? texts.missing
        : problem
          ? `${problem.message} ${interfaceTexts.reference(problem.requestId)}`
          : texts.failure}
    </p>
  );
}

function Cancellation({ onCancel }: { readonly onCancel: () => void }) {
  const [asking, setAsking] = useState(false);
  return (
    <div className="mt-5 border-sand-200 border-t pt-4">
      {asking ? (
        <div className="flex flex-wrap items-center gap-2">
          <p className="basis-full font-medium text-ink-900 text-sm" role="status">
            {texts.sure}
          </p>
          <Button variant="secondary" onClick={onCancel} size="small">
            {texts.yes}
          </Button>
          <Button autoFocus variant="quiet" onClick={() => setAsking(false)} size="small">
            {texts.no}
          </Button>
        </div>
      ) : (
        <Button variant="quiet" onClick={() => setAsking(true)} size="small">
          {texts.cancel}
        </Button>
      )}
    </div>
  );
}
