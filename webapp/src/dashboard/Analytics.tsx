import { dashboardTexts } from "../content/dashboard";
import { formatCount, formatDecimal, formatPercent } from "../content/spanish";
import { Card } from "../ui/Card";
import { Skeleton } from "../ui/Skeleton";
import type { Kpis } from "./queries";

interface FactsProps {
  readonly title: string;
  readonly loading: boolean;
  readonly facts: readonly (readonly [label: string, value: string])[];
}

function Facts({ title, loading, facts }: FactsProps) {
  return (
    <Card className="p-5 sm:p-6">
      <h2 className="font-semibold text-ink-900 text-lg">{title}</h2>
      <dl className="mt-3 divide-y divide-sand-200">
        {facts.map(([label, value]) => (
          <div className="flex items-baseline justify-between gap-4 py-3" key={label}>
            <dt className="text-[0.9375rem] text-ink-600">{label}</dt>
            <dd className="whitespace-nowrap font-semibold text-ink-900 text-lg tabular-nums">
              {loading ? <Skeleton className="my-0.5 h-6 w-20" /> : value}
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

interface AnalyticsProps {
  readonly kpis: Kpis;
  readonly loading: boolean;
  /** Conversations of the whole period, also those not yet listed. */
  readonly sessions: number;
}

/** The tab with rates and averages. */
export function Analytics({ kpis, loading, sessions }: AnalyticsProps) {
  const { efficiency, performance } = dashboardTexts;
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Facts
        facts={[
          [efficiency.conversion, formatPercent(kpis.conversionRate)],
          [efficiency.messages, formatDecimal(kpis.avgMessagesPerConversation)],
          [efficiency.interactions, formatCount(kpis.totalMessages)],
        ]}
        loading={loading}
        title={efficiency.title}
      />
      <Facts
        facts={[
          [performance.sessions, formatCount(sessions)],
          [performance.appointments, formatCount(kpis.totalAppointments)],
          [performance.duration, performance.seconds(kpis.avgConversationDuration)],
        ]}
        loading={loading}
        title={performance.title}
      />
    </div>
  );
}
