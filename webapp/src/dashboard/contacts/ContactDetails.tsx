import { appointmentInWords, contactTexts } from "../../content/dashboardContacts";
import { topicName } from "../../content/dashboardFilters";
import { personTexts } from "../../content/dashboardPerson";
import { classes } from "../../ui/classes";
import { CalendarIcon } from "../../ui/icons";
import { ContactMessage } from "./ContactMessage";
import type { Contact } from "./queries";

const texts = contactTexts;

/** What the person asked, wants, wrote and booked. */
export function ContactDetails({ contact }: { readonly contact: Contact }) {
  const { erased, restricted, withdrawn, specialty, topics, appointment } = contact;
  const { question, message } = contact;
  const wanted = specialty ? [specialty] : topics;
  return (
    <div className="min-w-0 space-y-2 text-[0.9375rem] text-ink-700">
      {question && (
        <p className="line-clamp-3 text-ink-900 [overflow-wrap:anywhere]" dir="auto">
          «{question}»
        </p>
      )}
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

function Appointment({ appointment }: AppointmentProps) {
  return (
    <p
      className={classes(
        "flex items-center gap-1.5",
        appointment.cancelled ? "text-ink-500" : "font-medium text-good-700",
      )}
    >
      <CalendarIcon className="size-4 shrink-0" />
      {appointmentInWords(appointment)}
    </p>
  );
}
