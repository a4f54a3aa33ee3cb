import type { Schemas } from "../../api/client";
import { analyticsTexts } from "../../content/dashboardCharts";
import { formatCount, formatPercent } from "../../content/numbers";
import { DrillDown } from "../shared/DrillDown";
import { Explanation } from "../shared/Explanation";
import type { Filters } from "../shared/state/filters";

const texts = analyticsTexts.outOfHours;

interface OutOfHoursProps {
  readonly value: Schemas["OutOfHours"];
  readonly onOpen: (filters: Filters) => void;
}

/** What the assistant brought while nobody was there. */
export function OutOfHours({ value, onOpen }: OutOfHoursProps) {
  const facts = [
    [texts.conversations, value.conversations, value.conversationShare, {}],
    [texts.leads, value.leads, value.leadShare, { lead: true }],
    [texts.appointments, value.appointments, value.appointmentShare, { appointment: true }],
  ] as const;
  return (
    <section
      aria-label={texts.title}
      className="mt-5 rounded-xl border border-sand-200 bg-sand-50 p-4 sm:p-5"
    >
      <div className="flex items-start justify-between gap-3">
        <h3 className="font-semibold text-ink-900">{texts.title}</h3>
        <Explanation of="outOfHours" />
      </div>
      <p className="text-ink-500 text-sm">{texts.note}</p>
      <dl className="mt-3 grid gap-4 sm:grid-cols-3">
        {facts.map(([label, count, share, filters]) => (
          <div key={label}>
            <dt className="text-ink-600 text-sm">{label}</dt>
            <dd className="mt-0.5 flex items-baseline gap-2">
              <DrillDown
                className="font-semibold text-2xl text-ink-900 tracking-tight"
                label={analyticsTexts.open(count, label)}
                onOpen={() => onOpen({ ...filters, outOfHours: true })}
              >
                {formatCount(count)}
              </DrillDown>
              {share !== null && (
                <span className="text-ink-500 text-sm tabular-nums">
                  {texts.share(formatPercent(share))}
                </span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
