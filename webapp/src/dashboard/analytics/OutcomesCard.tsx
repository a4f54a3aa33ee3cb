import type { Schemas } from "../../api/client";
import { weekdays } from "../../content/calendar";
import { agendaTexts } from "../../content/dashboardAgenda";
import { analyticsTexts } from "../../content/dashboardCharts";
import { topicName } from "../../content/dashboardFilters";
import { formatCount, formatPercent } from "../../content/numbers";
import type { Dashboard } from "../shared/state/useDashboard";
import { NumbersTable } from "./NumbersTable";
import { useReport } from "./queries";
import { ReportCard } from "./ReportCard";

const texts = analyticsTexts.outcomes;

type Row = Schemas["OutcomeRow"];
type Group = keyof typeof texts.groups;

/** How each group names its rows. */
const names: Record<Group, (name: string) => string> = {
  leadTimes: (name) => ({ ...texts.leadTimes })[name] ?? name,
  weekdays: (name) => weekdays[Number(name) - 1] ?? name,
  sources: (name) => ({ ...agendaTexts.source })[name] ?? name,
  specialties: (name) => (name === "-" ? texts.noSpecialty : topicName(name)),
};

const groups = Object.keys(texts.groups) as Group[];

const columns = [
  [
    texts.appointments,
    ({ came, missed, cancelledLate }: Row) => formatCount(came + missed + cancelledLate),
    "wide",
  ],
  [texts.missed, ({ missed }: Row) => formatCount(missed)],
  ["%", ({ missedRate }: Row) => formatPercent(missedRate ?? 0)],
] as const;

/** How many appointments were missed, and which ones most. */
export function OutcomesCard({ dashboard }: { readonly dashboard: Dashboard }) {
  const query = useReport("outcomes", dashboard.cohort);
  return (
    <ReportCard
      className="lg:col-span-2"
      explained="outcomes"
      placeholder="h-96"
      query={query}
      title={texts.title}
    >
      {(outcomes) =>
        outcomes.all.missedRate === null ? (
          <p className="text-ink-500">{texts.empty}</p>
        ) : (
          <>
            <Facts all={outcomes.all} rate={outcomes.all.missedRate} />
            <div className="mt-3 grid gap-x-10 gap-y-5 lg:grid-cols-2 lg:items-start">
              {groups.map((group) => (
                <NumbersTable
                  columns={columns}
                  first={texts.groups[group]}
                  key={group}
                  name={({ name }) => names[group](name)}
                  rowKey={({ name }) => name}
                  rows={outcomes[group]}
                />
              ))}
            </div>
          </>
        )
      }
    </ReportCard>
  );
}

function Facts({ all, rate }: { readonly all: Row; readonly rate: number }) {
  const facts = [
    [texts.missedRate, formatPercent(rate)],
    [texts.came, formatCount(all.came)],
    [texts.missed, formatCount(all.missed)],
    [texts.cancelledLate, formatCount(all.cancelledLate)],
  ] as const;
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-2">
      {facts.map(([label, value]) => (
        <div className="flex items-baseline gap-2" key={value + label}>
          <dt className="text-[0.9375rem] text-ink-600">{label}</dt>
          <dd className="font-semibold text-ink-900 text-lg tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
