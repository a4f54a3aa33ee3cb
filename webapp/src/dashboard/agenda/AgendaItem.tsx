import { useId } from "react";
import { agendaTexts as texts } from "../../content/dashboardAgenda";
import { topicName } from "../../content/dashboardFilters";
import { formatTime } from "../../content/dates";
import { Badge } from "../../ui/Badge";
import { ContactLinks } from "../shared/ContactLinks";
import { Outcomes } from "./Outcomes";
import type { Appointment } from "./queries";

/** One appointment: who comes when and why, and what became of it. */
export function AgendaItem({ appointment }: { readonly appointment: Appointment }) {
  const title = useId();
  const { slot, specialty, source, phone, question, restricted } = appointment;
  const name = appointment.name || phone || texts.unnamed;
  return (
    <li className="px-5 py-4 sm:px-6" data-booking={appointment.bookingId}>
      <article
        aria-labelledby={title}
        className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2 lg:grid-cols-[auto_minmax(0,1fr)_auto]"
      >
        <time className="w-14 font-semibold text-ink-900 text-lg tabular-nums" dateTime={slot}>
          {formatTime(new Date(slot))}
        </time>
        <div className="min-w-0">
          <h3 className="flex flex-wrap items-center gap-2 font-semibold text-ink-900" id={title}>
            <bdi className="min-w-0 [overflow-wrap:anywhere]">{name}</bdi>
            <Badge>{texts.source[source]}</Badge>
          </h3>
          {specialty && (
            <p className="text-[0.9375rem] text-ink-700 [overflow-wrap:anywhere]">
              {topicName(specialty)}
            </p>
          )}
          <ContactLinks contact={{ ...(phone && { phone }) }} />
          {question && (
            <p className="mt-1 line-clamp-2 text-[0.9375rem] text-ink-600 [overflow-wrap:anywhere]">
              {texts.question} «{question}»
            </p>
          )}
          {restricted && <p className="mt-1 text-ink-500 text-sm">{texts.restricted}</p>}
        </div>
        <Outcomes appointment={appointment} name={name} />
      </article>
    </li>
  );
}
