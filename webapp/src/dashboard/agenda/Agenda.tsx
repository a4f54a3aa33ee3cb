import type { Schemas } from "../../api/client";
import { agendaTexts as texts } from "../../content/dashboardAgenda";
import { formatDayOfMonth } from "../../content/dates";
import { LinkButton } from "../../ui/Button";
import { Card } from "../../ui/Card";
import { CalendarIcon } from "../../ui/icons";
import { EmptyState } from "../shared/EmptyState";
import { QueryState } from "../shared/QueryState";
import { AgendaItem } from "./AgendaItem";
import { useAgenda } from "./queries";

interface AgendaProps {
  /** Today alone, with the way to the rest. */
  readonly compact?: boolean;
}

/** The appointments of today and tomorrow by hour; counts alone for who does not see people. */
export function Agenda({ compact = false }: AgendaProps) {
  const query = useAgenda();
  const days = query.data?.days.slice(0, compact ? 1 : undefined) ?? [];
  if (days.length === 0)
    return (
      <Card className="p-5 sm:p-6">
        <h2 className="font-semibold text-ink-900 text-lg">{texts.title}</h2>
        <QueryState query={query} texts={texts} />
      </Card>
    );
  return (
    <>
      {query.isError && <QueryState query={query} texts={texts} />}
      {days.map((day, index) => (
        <Day compact={compact} day={day} index={index} key={day.date} />
      ))}
    </>
  );
}

interface DayProps {
  readonly day: Schemas["AgendaDay"];
  /** 0 is today. */
  readonly index: number;
  readonly compact: boolean;
}

function Day({ day, index, compact }: DayProps) {
  const { date, list, appointments, came, missed, cancelledLate } = day;
  const [month = 1, ofMonth = 1] = date.split("-").slice(1).map(Number);
  const title = texts.day(texts.days[index] ?? "", formatDayOfMonth({ month, day: ofMonth }));
  return (
    <Card>
      <section aria-label={title} data-date={date}>
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 p-5 sm:px-6">
          <h2 className="font-semibold text-ink-900 text-lg">{title}</h2>
          <p className="text-[0.9375rem] text-ink-600 tabular-nums">{texts.count(appointments)}</p>
          {came + missed + cancelledLate > 0 && (
            <p className="w-full text-ink-500 text-sm tabular-nums">
              {texts.counts(came, missed, cancelledLate)}
            </p>
          )}
          {compact && (
            <LinkButton href="/dashboard/agenda" size="small" variant="secondary">
              {texts.all}
            </LinkButton>
          )}
        </div>
        {appointments === 0 && !list?.length && (
          <EmptyState hint={texts.emptyHint} icon={CalendarIcon} title={texts.empty[index] ?? ""} />
        )}
        {list && list.length > 0 && (
          <ul className="divide-y divide-sand-200 border-sand-200 border-t">
            {list.map((appointment) => (
              <AgendaItem appointment={appointment} key={appointment.bookingId} />
            ))}
          </ul>
        )}
      </section>
    </Card>
  );
}
