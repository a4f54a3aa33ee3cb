import type { Schemas } from "../../api/client";
import { analyticsTexts } from "../../content/dashboardCharts";
import { formatDay } from "../../content/dates";
import { formatCount, formatPercent } from "../../content/numbers";
import { dayOf } from "../../content/zone";
import { DrillDown } from "../shared/DrillDown";
import { type Filters, hasFilters } from "../shared/state/filters";
import { daysSince } from "../shared/state/period";
import type { Dashboard } from "../shared/state/useDashboard";
import { useReport } from "./queries";
import { ReportCard } from "./ReportCard";

const texts = analyticsTexts.funnel;

type Funnel = Schemas["Funnel"];
type FunnelStep = Schemas["FunnelStep"];
type Step = FunnelStep["step"];

/** What lists the conversations of a step; a visit without one has nothing to list. */
const filtersOf: Partial<Record<Step, Filters>> = {
  conversation: {},
  consent: { consent: true },
  lead: { lead: true },
  appointment: { appointment: true },
};

const bars: Record<Step, string> = {
  visit: "bg-ink-400",
  opening: "bg-ink-500",
  conversation: "bg-(--metric-conversations)",
  consent: "bg-teal-500",
  lead: "bg-(--metric-leads)",
  appointment: "bg-(--metric-appointments)",
};

/** How far visits, and the conversations in them, get on their way to an appointment. */
export function FunnelCard({ dashboard }: { readonly dashboard: Dashboard }) {
  const query = useReport("funnel", dashboard.cohort);
  return (
    <ReportCard explained="funnel" placeholder="h-80" query={query} title={texts.title}>
      {(funnel) => <Steps dashboard={dashboard} funnel={funnel} />}
    </ReportCard>
  );
}

interface StepsProps {
  readonly funnel: Funnel;
  readonly dashboard: Dashboard;
}

function Steps({ funnel, dashboard }: StepsProps) {
  const since = sinceOf(funnel);
  return (
    <>
      <ol className="grid gap-4">
        {funnel.steps.map((step) => (
          <StepRow
            key={step.step}
            onOpen={(filters) =>
              dashboard.drillDown(filters, since && daysSince(since, dashboard.days))
            }
            step={step}
          />
        ))}
      </ol>
      <Note narrowed={hasFilters(dashboard.cohort.filters)} since={since} steps={funnel.steps} />
    </>
  );
}

/** When the visits, and every step with them, began to be counted within the period. */
function sinceOf({ startDate, visitsSince }: Funnel): Date | undefined {
  const since = new Date(startDate);
  return visitsSince && since.getTime() === Date.parse(visitsSince) ? since : undefined;
}

interface StepRowProps {
  readonly step: FunnelStep;
  readonly onOpen: (filters: Filters) => void;
}

function StepRow({ step: { step, count, share, fromPrevious }, onOpen }: StepRowProps) {
  const filters = filtersOf[step];
  const number = "font-semibold text-ink-900 text-lg tabular-nums";
  return (
    <li>
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="text-[0.9375rem] text-ink-600">{texts.steps[step]}</span>
        <span className="flex items-baseline gap-2">
          {filters ? (
            <DrillDown
              className={number}
              label={analyticsTexts.open(count, texts.steps[step])}
              onOpen={() => onOpen(filters)}
            >
              {formatCount(count)}
            </DrillDown>
          ) : (
            <span className={number}>{formatCount(count)}</span>
          )}
          {share !== null && (
            <span className="min-w-14 text-right text-ink-500 text-sm tabular-nums">
              {formatPercent(share)}
            </span>
          )}
        </span>
      </div>
      <div className="mt-1.5 h-2.5 overflow-hidden rounded-full bg-sand-100">
        <div
          className={`h-full min-w-1 rounded-full ${bars[step]}`}
          hidden={!count}
          style={{ width: `${share ?? 0}%` }}
        />
      </div>
      {fromPrevious !== null && (
        <p className="mt-1 text-ink-500 text-sm tabular-nums">
          {texts.fromPrevious(formatPercent(fromPrevious))}
        </p>
      )}
    </li>
  );
}

interface NoteProps {
  readonly steps: readonly FunnelStep[];
  readonly narrowed: boolean;
  readonly since: Date | undefined;
}

/** Why the funnel begins where and when it does. */
function Note({ steps, narrowed, since }: NoteProps) {
  let note: string | undefined;
  if (narrowed) note = texts.narrowed;
  else if (steps[0]?.step === "conversation") note = texts.uncounted;
  else if (since) note = texts.since(formatDay(dayOf(since)));
  return note ? <p className="mt-4 text-ink-500 text-sm">{note}</p> : null;
}
