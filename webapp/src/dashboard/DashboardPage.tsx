import { useRef, useState } from "react";
import { clinic } from "../content/clinic";
import { dashboardTexts } from "../content/dashboard";
import { ChartCard } from "./chart/ChartCard";
import { AppliedFilters } from "./conversations/AppliedFilters";
import { DashboardTabs } from "./DashboardTabs";
import { Failures } from "./frame/Failures";
import { Frame, type FrameProps } from "./frame/Frame";
import { NumbersNotice } from "./frame/NumbersNotice";
import { ShortcutsDialog } from "./frame/ShortcutsDialog";
import { useDashboardShortcuts } from "./frame/shortcuts";
import { metricColours, zeroKpis } from "./kpis/indicators";
import { KpiCards } from "./kpis/KpiCards";
import { KpiFailure } from "./kpis/KpiFailure";
import { KpiPlaceholders } from "./kpis/KpiPlaceholders";
import { useKpis } from "./kpis/queries";
import { LimitCard } from "./limit/LimitCard";
import { LimitNotice } from "./limit/LimitNotice";
import { PeriodPicker } from "./period/PeriodPicker";
import { Toolbar } from "./period/Toolbar";
import { ShownContext } from "./shared/Explanation";
import { AskedTogether } from "./shared/QueryState";
import { useMay } from "./shared/rights";
import { type Dashboard, useDashboard } from "./shared/state/useDashboard";
import { TranscriptDialog } from "./transcript/TranscriptDialog";
import { useTranscript } from "./transcript/useTranscript";
import { UnusualCard } from "./unusual/UnusualCard";
import { WaitingBand } from "./waiting/WaitingBand";

/** What the chatbot did in a period, for the clinic's staff. */
export function DashboardPage(frame: FrameProps) {
  const dashboard = useDashboard();
  const { days, today, view, pick, setView } = dashboard;
  const query = useKpis(dashboard.cohort, view.compare);
  const kpis = query.data ?? zeroKpis;
  const limit = kpis.monthlyLimit;
  const transcript = useTranscript(dashboard);

  const tabs = useRef<HTMLDivElement>(null);
  const seesPeople = useMay("people");
  const drillDown: Dashboard["drillDown"] = (...filters) => {
    if (!seesPeople) return;
    dashboard.drillDown(...filters);
    tabs.current?.scrollIntoView({ block: "start" });
  };

  // The server refuses an interval that makes no sense for the period.
  const forgetInterval = (calls: readonly unknown[]) => {
    if (view.interval && calls.includes("timeseries")) setView({ interval: undefined }, "replace");
  };

  const search = useRef<HTMLInputElement>(null);
  const [helping, setHelping] = useState(false);
  useDashboardShortcuts(dashboard, search, () => setHelping(true));

  return (
    <ShownContext value={{ days, kpis: query.data }}>
      <div style={metricColours}>
        <Frame
          {...frame}
          onHelp={() => setHelping(true)}
          picker={<PeriodPicker days={days} onPick={pick} />}
          subtitle={dashboardTexts.subtitle}
          title={dashboardTexts.title}
          wide
        >
          <AskedTogether value={true}>
            <Failures onRetry={forgetInterval} />
            <WaitingBand />
            <Toolbar dashboard={dashboard} />
            <KpiFailure query={query} />
            <AppliedFilters dashboard={dashboard} />
            {kpis.demo && <NumbersNotice>{dashboardTexts.demo}</NumbersNotice>}
            {kpis.formerZone && (
              <NumbersNotice>
                {dashboardTexts.formerZone(kpis.formerZone, clinic.zone)}
              </NumbersNotice>
            )}
            {limit && <LimitNotice limit={limit} today={today} />}
            {query.isPending ? (
              <KpiPlaceholders />
            ) : (
              <KpiCards
                kpis={kpis}
                onOpen={drillDown}
                onSelect={(metric) => setView({ metric }, "replace")}
                outdated={query.isPlaceholderData}
                selected={view.metric}
              />
            )}
            {/* Its place is known with the numbers above it. */}
            <div className={query.isPending ? "invisible" : ""}>
              <ChartCard dashboard={{ ...dashboard, drillDown }} />
            </div>
            {limit && <LimitCard limit={limit} />}
            <div className="scroll-mt-4" ref={tabs}>
              <DashboardTabs
                dashboard={dashboard}
                drillDown={drillDown}
                kpis={query}
                search={search}
                transcript={transcript}
              />
            </div>
            <UnusualCard />
          </AskedTogether>
        </Frame>
        <TranscriptDialog
          id={seesPeople ? view.conversation : undefined}
          onClose={transcript.close}
          position={transcript.position}
          sought={transcript.sought}
          summary={transcript.summary}
        />
        <ShortcutsDialog onClose={() => setHelping(false)} open={helping} />
      </div>
    </ShownContext>
  );
}
