import { useId, useState } from "react";
import { contactTexts } from "../../content/dashboardContacts";
import { topicName } from "../../content/dashboardFilters";
import { formatMoment } from "../../content/dates";
import { interfaceTexts } from "../../content/interface";
import { Badge } from "../../ui/Badge";
import { Button } from "../../ui/Button";
import { classes } from "../../ui/classes";
import { CalendarIcon, ChatIcon, MailIcon, PhoneIcon } from "../../ui/icons";
import { BookingDialog } from "./BookingDialog";
import { Notes } from "./Notes";
import type { Contact } from "./queries";
import { StatusMenu } from "./StatusMenu";

const texts = contactTexts;

interface ContactItemProps {
  readonly contact: Contact;
  readonly onConversation: (id: string) => void;
}

/** One contact: a card on a phone, a row on a wide screen. */
export function ContactItem({ contact, onConversation }: ContactItemProps) {
  const title = useId();
  const [noting, setNoting] = useState(false);
  const [booking, setBooking] = useState(false);
  const name = contact.name || contact.email || contact.phone || texts.unnamed;
  const standing = contact.appointment && !contact.appointment.cancelled;
  return (
    <li className="px-5 py-4 sm:px-6" data-kind={contact.kind}>
      <article
        aria-labelledby={title}
        className="grid gap-3 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)_auto] lg:gap-6"
      >
        <div className="min-w-0">
          <h3 className="flex flex-wrap items-center gap-2 font-semibold text-ink-900" id={title}>
            <bdi className="min-w-0 [overflow-wrap:anywhere]">{name}</bdi>
            <Badge>{texts.kind[contact.kind]}</Badge>
          </h3>
          <time className="text-ink-500 text-sm tabular-nums" dateTime={contact.cameAt}>
            {formatMoment(new Date(contact.cameAt))}
          </time>
          <Ways contact={contact} />
        </div>
        <div className="min-w-0 space-y-2 text-[0.9375rem] text-ink-700">
          {contact.erased && <p className="text-ink-500">{texts.erased}</p>}
          <Wish contact={contact} />
          {contact.message && <Message text={contact.message} />}
          {contact.appointment && (
            <p
              className={classes(
                "flex items-center gap-1.5",
                standing ? "font-medium text-good-700" : "text-ink-500",
              )}
            >
              <CalendarIcon className="size-4 shrink-0" />
              {(standing ? texts.appointment.booked : texts.appointment.cancelled)(
                formatMoment(new Date(contact.appointment.slot)),
              )}
            </p>
          )}
        </div>
        <div className="lg:w-40 lg:text-right">
          <StatusMenu contact={contact} name={name} />
          {contact.state.changedAt && (
            <p className="mt-1 text-ink-500 text-sm [overflow-wrap:anywhere]">
              {texts.changed(
                formatMoment(new Date(contact.state.changedAt)),
                contact.state.changedBy,
              )}
            </p>
          )}
        </div>
      </article>
      <div className="no-print mt-2 -ml-3 flex flex-wrap gap-1">
        <Button
          aria-describedby={title}
          aria-expanded={noting}
          variant="quiet"
          onClick={() => setNoting(!noting)}
          size="small"
        >
          {texts.notes.show(contact.notes.length)}
        </Button>
        {contact.kind === "lead" && (
          <>
            <Button
              aria-describedby={title}
              variant="quiet"
              onClick={() => setBooking(true)}
              size="small"
            >
              {standing ? texts.appointment.change : texts.appointment.book}
            </Button>
            <Button
              aria-describedby={title}
              variant="quiet"
              onClick={() => onConversation(contact.id)}
              size="small"
            >
              {texts.conversation}
            </Button>
          </>
        )}
      </div>
      {noting && <Notes contact={contact} name={name} />}
      <BookingDialog
        contact={contact}
        name={name}
        onClose={() => setBooking(false)}
        open={booking}
      />
    </li>
  );
}

const linkLook =
  "inline-flex min-h-8 max-w-full items-center gap-1.5 font-medium text-teal-700 hover:underline";

/** How the person can be reached. */
function Ways({ contact }: { readonly contact: Contact }) {
  const { phone, email, kind } = contact;
  const dialled = phone?.replaceAll(/[^+\d]/g, "");
  return (
    <ul className="mt-1 flex flex-wrap gap-x-4 text-[0.9375rem]">
      {phone && (
        <li>
          {dialled ? (
            <a className={linkLook} href={`tel:${dialled}`}>
              <PhoneIcon className="size-4 shrink-0" />
              <bdi>{phone}</bdi>
            </a>
          ) : (
            phone
          )}
        </li>
      )}
      {phone && kind === "lead" && (
        <li>
          <a
            className={linkLook}
            href={`https://wa.me/${phone.replace("+", "")}`}
            rel="noopener noreferrer"
            target="_blank"
          >
            <ChatIcon className="size-4 shrink-0" />
            {texts.whatsapp}
            <span className="sr-only">{interfaceTexts.newTab}</span>
          </a>
        </li>
      )}
      {email && (
        <li className="min-w-0">
          <a className={linkLook} href={`mailto:${encodeURIComponent(email)}`}>
            <MailIcon className="size-4 shrink-0" />
            <bdi className="min-w-0 [overflow-wrap:anywhere]">{email}</bdi>
          </a>
        </li>
      )}
    </ul>
  );
}

/** What the person wants: the service, or what was asked about. */
function Wish({ contact }: { readonly contact: Contact }) {
  const wishes = contact.specialty ? [contact.specialty] : contact.topics;
  if (wishes.length === 0) return null;
  return (
    <p>
      <span className="text-ink-500">{texts.wants}: </span>
      {wishes.map(topicName).join(", ")}
    </p>
  );
}

/** More characters than this are folded away at first. */
const foldedAfter = 220;

function Message({ text }: { readonly text: string }) {
  const [whole, setWhole] = useState(false);
  const long = text.length > foldedAfter;
  return (
    <div>
      <p
        className={classes(
          "whitespace-pre-wrap [overflow-wrap:anywhere]",
          long && !whole && "line-clamp-3",
        )}
        dir="auto"
      >
        {text}
      </p>
      {long && (
        <button
          aria-expanded={whole}
          className="no-print min-h-8 font-medium text-sm text-teal-700 hover:underline"
          onClick={() => setWhole(!whole)}
          type="button"
        >
          {whole ? texts.lessMessage : texts.wholeMessage}
        </button>
      )}
    </div>
  );
}
