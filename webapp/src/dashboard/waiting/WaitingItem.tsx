import { useId } from "react";
import { Link } from "wouter";
import { clinic } from "../../content/clinic";
import { appointmentInWords } from "../../content/dashboardContacts";
import { topicsInWords } from "../../content/dashboardFilters";
import { formatAge, waitingTexts } from "../../content/dashboardWaiting";
import { formatMoment, formatTime } from "../../content/dates";
import { interfaceTexts } from "../../content/interface";
import { Badge } from "../../ui/Badge";
import { Button, ButtonLink, buttonClasses } from "../../ui/Button";
import { classes } from "../../ui/classes";
import { ChatIcon, MailIcon, PhoneIcon } from "../../ui/icons";
import { FlagBadges } from "../shared/FlagBadges";
import { callAddress, whatsappAddress } from "../shared/phone";
import { inboxOf, nameOf, useAttempt, type WaitingPerson } from "./queries";

const texts = waitingTexts;
const outcomes = ["done", "no-answer", "tomorrow"] as const;

interface WaitingItemProps {
  readonly person: WaitingPerson;
  /** Whether what they wrote is shown beside. */
  readonly open?: boolean;
  /** Called once the person waits no more. */
  readonly onSettled: () => void;
}

/** Somebody who waits to be called: why, since when, what they asked, and what came of it. */
export function WaitingItem({ person, open, onSettled }: WaitingItemProps) {
  const title = useId();
  const attempt = useAttempt(person);
  const { phone, email, conversation, question, restricted, heldBy, heldByMe, last } = person;
  const { topics, appointment } = person;
  const free = !heldBy || heldByMe;
  const begin = () => free && !heldByMe && attempt.mutate("begun");
  const action = { "aria-describedby": title, size: "small" } as const;
  const call = callAddress(phone);
  const write = whatsappAddress(phone, clinic.phones[0].label);
  return (
    <li className={classes("px-5 py-4 sm:px-6", open && "bg-teal-50")}>
      <article aria-labelledby={title}>
        <div className="flex flex-wrap items-center gap-2">
          <h3 className="min-w-0 font-semibold text-ink-900 [overflow-wrap:anywhere]" id={title}>
            <bdi>{nameOf(person)}</bdi>
          </h3>
          <Reasons person={person} />
        </div>
        {question && (
          <p className="mt-1 line-clamp-3 text-ink-900 [overflow-wrap:anywhere]" dir="auto">
            «{question}»
          </p>
        )}
        {(topics.length > 0 || appointment) && (
          <p className="mt-1 text-ink-700 text-sm">
            {[
              topics.length > 0 && topicsInWords(topics),
              appointment && appointmentInWords(appointment),
            ]
              .filter(Boolean)
              .join(" · ")}
          </p>
        )}
        {restricted && <p className="mt-1 text-ink-700">{texts.restricted}</p>}
        {!(restricted || phone || email) && (
          <p className="mt-1 text-ink-500 text-sm">{texts.unreachable}</p>
        )}
        <p className="mt-1 text-ink-500 text-sm [overflow-wrap:anywhere]">
          {texts.age(formatAge(Date.now() - Date.parse(person.since)))}
          {last && !heldBy && (
            <>
              {" · "}
              {texts.last[last.outcome]}: {formatMoment(new Date(last.at))}
              {last.by && <bdi> ({last.by})</bdi>}
            </>
          )}
        </p>
        {heldBy && last?.dueAt && (
          <p className="mt-1 font-medium text-sm text-warn-800 [overflow-wrap:anywhere]">
            {heldByMe
              ? texts.heldByMe(formatTime(new Date(last.dueAt)))
              : texts.heldBy(heldBy, formatTime(new Date(last.dueAt)))}
          </p>
        )}
        <div className="no-print mt-3 flex flex-wrap gap-2">
          {call && (
            <ButtonLink {...action} href={call} onClick={begin}>
              <PhoneIcon className="size-4" />
              <bdi>{phone}</bdi>
            </ButtonLink>
          )}
          {write && (
            <ButtonLink
              {...action}
              href={write}
              onClick={begin}
              rel="noopener noreferrer"
              target="_blank"
              variant="secondary"
            >
              <ChatIcon className="size-4" />
              {texts.whatsapp}
              <span className="sr-only">{interfaceTexts.newTab}</span>
            </ButtonLink>
          )}
          {email && !call && (
            <ButtonLink
              {...action}
              href={`mailto:${encodeURIComponent(email)}`}
              onClick={begin}
              variant="secondary"
            >
              <MailIcon className="size-4" />
              {texts.write}
            </ButtonLink>
          )}
          {!restricted &&
            free &&
            outcomes.map((outcome) => (
              <Button
                {...action}
                aria-disabled={attempt.isPending}
                key={outcome}
                onClick={() =>
                  !attempt.isPending && attempt.mutate(outcome, { onSuccess: onSettled })
                }
                variant="secondary"
              >
                {texts.outcomes[outcome]}
              </Button>
            ))}
          {!restricted && (
            <Link
              aria-current={open}
              aria-describedby={title}
              // What is open is all there is where it is narrow.
              className={buttonClasses("quiet", "small", open ? "max-lg:hidden" : "")}
              data-opens
              href={inboxOf(person)}
            >
              {conversation ? texts.transcript : texts.message}
            </Link>
          )}
        </div>
      </article>
    </li>
  );
}

/** Why the person waits, with what somebody saw to already. */
function Reasons({ person }: { readonly person: WaitingPerson }) {
  const { reasons } = person;
  return (
    <>
      <FlagBadges reasons={reasons} />
      {reasons.map(({ reason, attendedAt, attendedBy }) =>
        reason === "request" || reason === "message" || reason === "lead" ? (
          <Badge key={reason} wraps {...(!attendedAt && { variant: "lead" })}>
            {texts.reasons[reason]}
            {attendedAt && `: ${texts.attended(attendedBy)}`}
          </Badge>
        ) : null,
      )}
    </>
  );
}
