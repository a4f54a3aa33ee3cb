import { contactTexts } from "../../content/dashboardContacts";
import { topicName } from "../../content/dashboardFilters";
import { personTexts } from "../../content/dashboardPerson";
import { formatMoment } from "../../content/dates";
import { classes } from "../../ui/classes";
import { CalendarIcon } from "../../ui/icons";
import { ContactMessage } from "./ContactMessage";
import type { Contact } from "./queries";

const texts = contactTexts;

/** What the person wants, wrote and booked. */
export function ContactDetails({ contact }: { readonly contact: Contact }) {
  const { erased, restricted, withdrawn, specialty, topics, message, appointment } = contact;
  const wanted = specialty ? [specialty] : topics;
  return (
    <div className="min-w-0 space-y-2 text-[0.9375rem] text-ink-700">
      {erased && <p className="text-ink-500">{texts.erased}</p>}
      {restricted && <p className="text-ink-500">{personTexts.restrict.shown}</p>}
      {withdrawn && !erased && <p className="font-medium text-bad-700">{texts.withdrawn}</p>}
      {wanted.length > 0 && (
        <p>
          <span className="text-ink-500">{texts.wants}: </span>
          {wanted.map(topicName).join(", ")}
        </p>
      )}
      {message && <ContactMessage text={message} />}
      {appointment && <Appointment appointment={appointment} />}
    </div>
  );
}

interface AppointmentProps {
  readonly appointment: NonNullable<Contact["appointment"]>;
}

function Appointment({ appointment: { slot, cancelled } }: AppointmentProps) {
  const { booked, cancelled: wasCancelled } = texts.appointment;
  return (
    <p
      className={classes(
        "flex items-center gap-1.5",
        cancelled ? "text-ink-500" : "font-medium text-good-700",
      )}
    >
      <CalendarIcon className="size-4 shrink-0" />
      {(cancelled ? wasCancelled : booked)(formatMoment(new Date(slot)))}
    </p>
  );
}
