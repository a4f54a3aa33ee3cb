import "./dashboard.css";
import { lazy, Suspense, useRef, useState } from "react";
import { reasonOf, referenceOf } from "../api/problem";
import { dashboardTexts } from "../content/dashboard";
import { Card } from "../ui/Card";
import { ErrorAlert } from "../ui/ErrorAlert";
import { Tabs } from "../ui/Tabs";
import { usePageTitle } from "../ui/usePageTitle";
import { Analytics } from "./analytics/Analytics";
import { ChartCard } from "./chart/ChartCard";
import { ContactPlaceholders } from "./contacts/ContactPlaceholders";
import { useContactCounts } from "./contacts/counts";
import { WaitingBadge } from "./contacts/WaitingBadge";
import { AppliedFilters } from "./conversations/AppliedFilters";
import { ConversationList } from "./conversations/ConversationList";
import { Freshness } from "./frame/Freshness";
import { Header } from "./frame/Header";
import { useLive } from "./frame/live";
import { ShortcutsDialog } from "./frame/ShortcutsDialog";
import { useShortcuts } from "./frame/shortcuts";
import { KpiCards, KpiPlaceholders } from "./kpis/KpiCards";
import { useKpis, zeroKpis } from "./kpis/queries";
import { LimitCard } from "./limit/LimitCard";
import { LimitNotice } from "./limit/LimitNotice";
import { PeriodPicker } from "./period/PeriodPicker";
import { Toolbar } from "./period/Toolbar";
import { ShownContext } from "./shared/Explanation";
import { hasFilters } from "./shared/state/filters";
import { presets } from "./shared/state/presets";
import { type Dashboard, useDashboard } from "./shared/state/useDashboard";
import { TranscriptDialog } from "./transcript/TranscriptDialog";
import { useTranscript } from "./transcript/useTranscript";

const texts = dashboardTexts;
const Contacts = lazy(() => import("./contacts/Contacts"));

interface DashboardPageProps {
  readonly onLogout: () => void;
}

/** What the chatbot did in a period, for the clinic's staff. */
export function DashboardPage({ onLogout }: DashboardPageProps) {
  usePageTitle(texts.pageTitle);
  const dashboard = useDashboard();
  const { days, today, view, cohort, pick, setView } = dashboard;
  const numbers = useKpis(cohort, view.compare);
  const transcript = useTranscript(dashboard);
  const conversations = transcript.list;
  const connection = useLive(numbers.data?.dataThrough.position, dashboard.renew);
  const kpis = numbers.data ?? zeroKpis;
  const waiting = useContactCounts(cohort).data?.new ?? 0;
  const narrowed = hasFilters(view.filters) && !view.everywhere;

  const views = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const [helping, setHelping] = useState(false);
  useShortcuts({
    ...Object.fromEntries(presets.map(({ key, days }) => [key, () => pick(days(today))])),
    "?": () => setHelping(true),
    b() {
      setView({ tab: "conversations" }, "replace");
      requestAnimationFrame(() => search.current?.focus());
    },
  });

  const drillDown: Dashboard["drillDown"] = (...behind) => {
    dashboard.drillDown(...behind);
    views.current?.scrollIntoView({ block: "start" });
  };

  return (
    <ShownContext value={{ days, dataThrough: numbers.data?.dataThrough }}>
      <div className="min-h-dvh bg-sand-50">
        <Header
          onHelp={() => setHelping(true)}
          onLogout={onLogout}
          picker={<PeriodPicker days={days} onPick={pick} />}
        />
        <main className="page flex flex-col gap-4 py-5 sm:gap-5">
          <Toolbar dashboard={dashboard} />
          {numbers.isError && (
            <ErrorAlert
              message={numbers.data ? texts.numbersOutdated : texts.numbersFailure}
              onRetry={() => numbers.refetch()}
              reason={reasonOf(numbers.error)}
              reference={referenceOf(numbers.error)}
            />
          )}
          <AppliedFilters dashboard={dashboard} />
          {kpis.demo && (
            <p className="rounded-xl border border-warn-400 bg-white px-4 py-2.5 font-medium text-[0.9375rem] text-warn-800">
              {texts.demo}
            </p>
          )}
          {kpis.monthlyLimit && <LimitNotice limit={kpis.monthlyLimit} today={dashboard.today} />}
          {numbers.isPending ? (
            <KpiPlaceholders />
          ) : (
            <KpiCards
              kpis={kpis}
              outdated={numbers.isPlaceholderData}
              onOpen={drillDown}
              onSelect={(metric) => setView({ metric }, "replace")}
              selected={view.metric}
            />
          )}
          <ChartCard dashboard={{ ...dashboard, drillDown }} />
          {kpis.monthlyLimit && <LimitCard limit={kpis.monthlyLimit} />}
          <div className="scroll-mt-4" ref={views}>
            <Tabs
              aside={
                <Freshness
                  connection={connection}
                  onRefresh={dashboard.refresh}
                  through={numbers.data?.dataThrough.time}
                />
              }
              label={texts.tabs.label}
              onSelect={(tab) => setView({ tab })}
              selected={view.tab}
              tabs={[
                {
                  name: "conversations",
                  label: texts.tabs.conversations,
                  content: (
                    <ConversationList
                      dashboard={dashboard}
                      onOpen={transcript.open}
                      flagged={kpis.flaggedConversations ?? 0}
                      list={conversations}
                      search={search}
                    />
                  ),
                },
                {
                  name: "analytics",
                  label: texts.tabs.analytics,
                  content: (
                    <Analytics
                      dashboard={{ ...dashboard, drillDown }}
                      kpis={kpis}
                      loading={numbers.isPending || conversations.isPending}
                      onConversation={transcript.open}
                      sessions={
                        // A list that did not come says nothing about how many there are.
                        narrowed || !conversations.loaded
                          ? kpis.totalConversations
                          : conversations.total
                      }
                    />
                  ),
                },
                {
                  name: "contacts",
                  label: texts.tabs.contacts,
                  badge: waiting > 0 && <WaitingBadge count={waiting} />,
                  content: (
                    <Suspense
                      fallback={
                        <Card>
                          <ContactPlaceholders />
                        </Card>
                      }
                    >
                      <Contacts dashboard={dashboard} onConversation={transcript.open} />
                    </Suspense>
                  ),
                },
              ]}
            />
          </div>
        </main>
        <TranscriptDialog
          id={view.conversation}
          onClose={transcript.close}
          position={transcript.position}
          summary={transcript.summary}
        />
        <ShortcutsDialog onClose={() => setHelping(false)} open={helping} />
      </div>
    </ShownContext>
  );
}
