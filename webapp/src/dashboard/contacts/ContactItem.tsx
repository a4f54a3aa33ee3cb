import { useId, useState } from "react";
import { contactTexts } from "../../content/dashboardContacts";
import { personTexts } from "../../content/dashboardPerson";
import { formatAgo } from "../../content/dashboardWaiting";
import { formatMoment } from "../../content/dates";
import { Badge } from "../../ui/Badge";
import { Button } from "../../ui/Button";
import { draftOf } from "../../ui/drafts";
import { ContactLinks } from "../shared/ContactLinks";
import { FlagBadges } from "../shared/FlagBadges";
import { useMay } from "../shared/rights";
import { BookingDialog } from "./BookingDialog";
import { ContactDetails } from "./ContactDetails";
import { Notes } from "./Notes";
import { PersonDialog } from "./PersonDialog";
import { type Contact, noteDraft } from "./queries";
import { Requests } from "./Requests";
import { StatusMenu } from "./StatusMenu";

const texts = contactTexts;

interface ContactItemProps {
  readonly contact: Contact;
  readonly onConversation: (id: string) => void;
}

/** One contact: a card on a phone, a row on a wide screen. */
export function ContactItem({ contact, onConversation }: ContactItemProps) {
  const title = useId();
  const [noting, setNoting] = useState(() => draftOf(noteDraft(contact)) !== "");
  const [booking, setBooking] = useState(false);
  const [asking, setAsking] = useState(false);
  const mayAnswer = useMay("privacy");
  const { id, kind, state, appointment, notes } = contact;
  const name = contact.name || contact.email || contact.phone || texts.unnamed;
  const action = { "aria-describedby": title, variant: "quiet", size: "small" } as const;
  return (
    <li className="px-5 py-4 sm:px-6" data-kind={kind}>
      <article
        aria-labelledby={title}
        className="grid gap-3 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)_auto] lg:gap-6"
      >
        <div className="min-w-0">
          <h3 className="flex flex-wrap items-center gap-2 font-semibold text-ink-900" id={title}>
            <bdi className="min-w-0 [overflow-wrap:anywhere]">{name}</bdi>
            <Badge>{texts.kind[kind]}</Badge>
            <FlagBadges reasons={contact.reasons} />
          </h3>
          <p className="text-ink-500 text-sm">
            {formatAgo(contact.cameAt)}
            {" · "}
            <time className="tabular-nums" dateTime={contact.cameAt}>
              {formatMoment(new Date(contact.cameAt))}
            </time>
          </p>
          <ContactLinks contact={contact} />
        </div>
        <ContactDetails contact={contact} />
        <div className="lg:w-48 lg:text-right">
          <StatusMenu contact={contact} name={name} />
          {state.changedAt && (
            <p className="mt-1 text-ink-500 text-sm [overflow-wrap:anywhere]">
              {texts.changed(formatMoment(new Date(state.changedAt)), state.changedBy)}
            </p>
          )}
        </div>
      </article>
      <Requests contact={contact} />
      <div className="no-print mt-2 -ml-3 flex flex-wrap gap-1">
        <Button {...action} aria-expanded={noting} onClick={() => setNoting(!noting)}>
          {texts.notes.show(notes.length)}
        </Button>
        <Button {...action} onClick={() => setBooking(true)}>
          {appointment && !appointment.cancelled
            ? texts.appointment.change
            : texts.appointment.book}
        </Button>
        {kind === "lead" && (
          <Button {...action} onClick={() => onConversation(id)}>
            {texts.conversation}
          </Button>
        )}
        {mayAnswer && (
          <Button {...action} onClick={() => setAsking(true)}>
            {personTexts.open}
          </Button>
        )}
      </div>
      {noting && <Notes contact={contact} name={name} />}
      <BookingDialog
        contact={contact}
        name={name}
        onClose={() => setBooking(false)}
        open={booking}
      />
      <PersonDialog contact={contact} name={name} onClose={() => setAsking(false)} open={asking} />
    </li>
  );
}
