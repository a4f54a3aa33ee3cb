import type { Schemas } from "../../api/client";
import { analyticsTexts } from "../../content/dashboardCharts";
import { formatCount, formatPercent } from "../../content/spanish";
import type { Filters } from "../address";
import { Behind } from "../Behind";
import { useReport } from "../queries";
import type { Dashboard } from "../useDashboard";
import { ReportCard } from "./ReportCard";

const texts = analyticsTexts.funnel;

type Step = Schemas["FunnelStep"]["step"];

const behind: Record<Step, Filters> = {
  conversation: {},
  consent: { consent: true },
  lead: { lead: true },
  appointment: { appointment: true },
};

const bars: Record<Step, string> = {
  conversation: "bg-(--metric-conversations)",
  consent: "bg-teal-500",
  lead: "bg-(--metric-leads)",
  appointment: "bg-(--metric-appointments)",
};

/** How far conversations get on their way to an appointment. */
export function FunnelCard({ dashboard }: { readonly dashboard: Dashboard }) {
  const query = useReport("funnel", dashboard.scope);
  return (
    <ReportCard explained="funnel" placeholder="h-60" query={query} title={texts.title}>
      {({ steps }) => (
        <ol className="grid gap-4">
          {steps.map(({ step, conversations, share, fromPrevious }) => (
            <li key={step}>
              <div className="flex items-baseline justify-between gap-3">
                <span className="text-[0.9375rem] text-ink-600">{texts.steps[step]}</span>
                <span className="flex items-baseline gap-2">
                  <Behind
                    className="font-semibold text-ink-900 text-lg"
                    label={analyticsTexts.open(conversations, texts.steps[step])}
                    onOpen={() => dashboard.open(behind[step])}
                  >
                    {formatCount(conversations)}
                  </Behind>
                  {share !== null && (
                    <span className="w-14 text-right text-ink-500 text-sm tabular-nums">
                      {formatPercent(share)}
                    </span>
                  )}
                </span>
              </div>
              <div className="mt-1.5 h-2.5 overflow-hidden rounded-full bg-sand-100">
                <div
                  className={`h-full rounded-full ${bars[step]}`}
                  style={{ width: `${share ?? 0}%` }}
                />
              </div>
              {fromPrevious !== null && (
                <p className="mt-1 text-ink-500 text-sm tabular-nums">
                  {texts.fromPrevious(formatPercent(fromPrevious))}
                </p>
              )}
            </li>
          ))}
        </ol>
      )}
    </ReportCard>
  );
}
