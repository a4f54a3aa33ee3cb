import type { ReactNode } from "react";
import type { Schemas } from "../../api/client";
import { dashboardTexts } from "../../content/dashboard";
import type { Explained } from "../../content/dashboardCharts";
import { formatCount, formatDecimal, formatPercent } from "../../content/numbers";
import { Card } from "../../ui/Card";
import { Skeleton } from "../../ui/Skeleton";
import { Explanation } from "../shared/Explanation";
import type { Dashboard } from "../shared/state/useDashboard";
import { Facts } from "./Facts";
import { FunnelCard } from "./FunnelCard";
import { HeatmapCard } from "./HeatmapCard";
import { OutcomesCard } from "./OutcomesCard";
import { QualityCard } from "./QualityCard";
import { RatingsCard } from "./RatingsCard";
import { TopicsCard } from "./TopicsCard";

interface FactsCardProps {
  readonly title: string;
  readonly explained: Explained;
  readonly loading: boolean;
  readonly facts: readonly (readonly [label: string, value: string])[];
}

function FactsCard({ title, explained, loading, facts }: FactsCardProps) {
  return (
    <Card className="keep-together p-5 sm:p-6">
      <div className="flex items-start justify-between gap-3">
        <h2 className="font-semibold text-ink-900 text-lg">{title}</h2>
        <Explanation className="-mr-1" of={explained} />
      </div>
      <div className="mt-3">
        <Facts
          facts={facts.map(([label, value]) => [
            label,
            loading ? <Skeleton className="my-0.5 h-6 w-20" key={label} /> : value,
          ])}
          large
        />
      </div>
    </Card>
  );
}

interface AnalyticsProps {
  readonly kpis: Schemas["Kpis"];
  readonly loading: boolean;
  /** Conversations of the whole period, also those not yet listed. */
  readonly sessions: number;
  /** Says that the numbers did not come, if so. */
  readonly failure: ReactNode;
  readonly dashboard: Dashboard;
}

/** The tab with rates and averages, and what lies behind them. */
export default function Analytics(props: AnalyticsProps) {
  const { kpis, loading, sessions, failure, dashboard } = props;
  const { efficiency, performance } = dashboardTexts;
  return (
    <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
      {failure}
      <FactsCard
        explained="efficiency"
        facts={[
          [efficiency.conversion, formatPercent(kpis.conversionRate)],
          [efficiency.messages, formatDecimal(kpis.avgMessagesPerConversation)],
          [efficiency.interactions, formatCount(kpis.totalMessages)],
        ]}
        loading={loading}
        title={efficiency.title}
      />
      <FactsCard
        explained="performance"
        facts={[
          [performance.sessions, formatCount(sessions)],
          [performance.appointments, formatCount(kpis.totalAppointments)],
          [performance.duration, performance.seconds(kpis.avgConversationDuration)],
        ]}
        loading={loading}
        title={performance.title}
      />
      <FunnelCard dashboard={dashboard} />
      <QualityCard dashboard={dashboard} />
      <RatingsCard dashboard={dashboard} />
      <OutcomesCard dashboard={dashboard} />
      <HeatmapCard dashboard={dashboard} />
      <TopicsCard dashboard={dashboard} />
    </div>
  );
}
