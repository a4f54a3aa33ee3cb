import "./dashboard.css";
import { lazy, type ReactNode, Suspense, useRef, useState } from "react";
import { reasonOf, referenceOf } from "../api/problem";
import { dashboardTexts } from "../content/dashboard";
import { contactTexts } from "../content/dashboardContacts";
import { filterTexts } from "../content/dashboardFilters";
import { formatMoment } from "../content/dates";
import { formatCount } from "../content/numbers";
import { Button } from "../ui/Button";
import { Card } from "../ui/Card";
import { classes } from "../ui/classes";
import { FailureStrip } from "../ui/FailureStrip";
import { LogoutIcon, RefreshIcon } from "../ui/icons";
import { Mark } from "../ui/Mark";
import { Tabs } from "../ui/Tabs";
import { usePage } from "../ui/usePage";
import { Analytics } from "./analytics/Analytics";
import { ChartCard } from "./chart/ChartCard";
import { ContactPlaceholders } from "./contacts/ContactPlaceholders";
import { useContactCounts } from "./contacts/counts";
import { Chips } from "./conversations/Chips";
import { ConversationList } from "./conversations/ConversationList";
import { type Hearing, useLive } from "./frame/live";
import { ShortcutsDialog } from "./frame/ShortcutsDialog";
import { useShortcuts } from "./frame/shortcuts";
import { useTheme } from "./frame/theme";
import { KpiCards, KpiPlaceholders } from "./kpis/KpiCards";
import { type Kpis, useKpis } from "./kpis/queries";
import { LimitCard } from "./limit/LimitCard";
import { LimitNotice } from "./limit/LimitNotice";
import { PeriodPicker } from "./period/PeriodPicker";
import { Toolbar } from "./period/Toolbar";
import { ShownContext } from "./shared/Explanation";
import { KeyboardIcon, MoonIcon, PrinterIcon } from "./shared/icons";
import { hasFilters } from "./shared/state/filters";
import { daysOf, formatDays } from "./shared/state/period";
import { presets } from "./shared/state/presets";
import { type Dashboard, useDashboard } from "./shared/state/useDashboard";
import { TranscriptDialog } from "./transcript/TranscriptDialog";
import { useTranscript } from "./transcript/useTranscript";

const texts = dashboardTexts;
const Contacts = lazy(() => import("./contacts/Contacts"));

/** Shown where the numbers could not be loaded. */
const zeroKpis: Kpis = {
  totalConversations: 0,
  totalMessages: 0,
  avgMessagesPerConversation: 0,
  totalLeads: 0,
  conversionRate: 0,
  totalAppointments: 0,
  cancelledAppointments: 0,
  avgConversationDuration: 0,
  medianConversationDuration: 0,
  p90ConversationDuration: 0,
  dataThrough: { position: 0 },
};

interface DashboardPageProps {
  readonly onLogout: () => void;
}

/** What the chatbot did in a period, for the clinic's staff. */
export function DashboardPage({ onLogout }: DashboardPageProps) {
  usePage(texts.pageTitle);
  const dashboard = useDashboard();
  const { days, today, view, scope, pick, look } = dashboard;
  const numbers = useKpis(scope, view.compare);
  const transcript = useTranscript(dashboard);
  const conversations = transcript.list;
  const hearing = useLive(numbers.data?.dataThrough.position, dashboard.renew);
  const kpis = numbers.data ?? zeroKpis;
  const waiting = useContactCounts(scope).data?.new ?? 0;
  const narrowed = hasFilters(view.filters) && !view.everywhere;

  const views = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const [helping, setHelping] = useState(false);
  useShortcuts({
    ...Object.fromEntries(presets.map(({ key, days }) => [key, () => pick(days(today))])),
    "?": () => setHelping(true),
    b() {
      look({ tab: "conversations" }, "replace");
      requestAnimationFrame(() => search.current?.focus());
    },
  });

  const open: Dashboard["open"] = (...behind) => {
    dashboard.open(...behind);
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
            <FailureStrip
              message={numbers.data ? texts.numbersOutdated : texts.numbersFailure}
              onRetry={() => numbers.refetch()}
              reason={reasonOf(numbers.error)}
              reference={referenceOf(numbers.error)}
            />
          )}
          {view.everywhere && hasFilters(view.filters) && (
            <div className="flex flex-wrap items-center gap-2 text-ink-700 text-sm">
              <p className="font-medium">{filterTexts.scoped}:</p>
              <Chips filters={view.filters} onFilter={(filters) => look({ filters })} />
            </div>
          )}
          {kpis.demo && (
            <p className="rounded-xl border border-warn-400 bg-white px-4 py-2.5 font-medium text-[0.9375rem] text-warn-800">
              {texts.demo}
            </p>
          )}
          {kpis.monthlyLimit && <LimitNotice limit={kpis.monthlyLimit} today={dashboard.today} />}
          {numbers.isPending ? (
            <KpiPlaceholders />
          ) : (
            <section
              aria-busy={numbers.isPlaceholderData}
              aria-label={texts.indicators}
              className={classes(
                "flex flex-col gap-3 transition-opacity sm:gap-4",
                numbers.isPlaceholderData && "opacity-50",
              )}
            >
              <KpiCards
                kpis={kpis}
                onOpen={open}
                onSelect={(metric) => look({ metric }, "replace")}
                selected={view.metric}
              />
              {kpis.comparison && (
                <p className="-mt-1 text-ink-500 text-sm">
                  {texts.delta.compared(
                    formatDays(
                      daysOf({
                        start: new Date(kpis.comparison.startDate),
                        end: new Date(kpis.comparison.endDate),
                      }),
                    ),
                  )}
                </p>
              )}
            </section>
          )}
          <ChartCard dashboard={{ ...dashboard, open }} />
          {kpis.monthlyLimit && <LimitCard limit={kpis.monthlyLimit} />}
          <div className="scroll-mt-4" ref={views}>
            <Tabs
              aside={
                <Freshness
                  hearing={hearing}
                  onRefresh={dashboard.refresh}
                  through={numbers.data?.dataThrough.time}
                />
              }
              label={texts.tabs.label}
              onSelect={(tab) => look({ tab })}
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
                      dashboard={{ ...dashboard, open }}
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
                  badge: waiting > 0 && <Waiting count={waiting} />,
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
          place={transcript.place}
          summary={transcript.summary}
        />
        <ShortcutsDialog onClose={() => setHelping(false)} open={helping} />
      </div>
    </ShownContext>
  );
}

/** How many contacts nobody has called yet. */
function Waiting({ count }: { readonly count: number }) {
  return (
    <span className="ml-1.5 rounded-full bg-warn-50 px-2 py-0.5 text-[0.8125rem] text-warn-800 tabular-nums">
      <span aria-hidden="true">{formatCount(count)}</span>
      <span className="sr-only">({contactTexts.waiting(count)})</span>
    </span>
  );
}

interface HeaderProps {
  readonly picker: ReactNode;
  readonly onHelp: () => void;
  readonly onLogout: () => void;
}

function Header({ picker, onHelp, onLogout }: HeaderProps) {
  const { theme, toggle } = useTheme();
  return (
    <header className="border-sand-200 border-b bg-white">
      <div className="page flex flex-wrap items-center gap-x-6 gap-y-4 py-4 sm:py-5">
        <div className="flex min-w-0 flex-1 basis-72 items-center gap-3.5">
          <Mark className="size-11 shrink-0" />
          <div className="min-w-0">
            <h1 className="font-semibold text-ink-900 text-xl leading-7 tracking-tight sm:text-2xl">
              {texts.title}
            </h1>
            <p className="text-[0.9375rem] text-ink-500 leading-5">{texts.subtitle}</p>
          </div>
        </div>
        <div className="flex w-full flex-col gap-2 sm:w-auto sm:flex-row">
          {picker}
          <div className="no-print flex gap-2">
            <Button
              aria-label={texts.darkMode}
              aria-pressed={theme === "dark"}
              look="secondary"
              onClick={toggle}
              size="icon"
              title={texts.darkMode}
            >
              <MoonIcon className="size-5 text-ink-500" />
            </Button>
            <Button
              aria-label={texts.print}
              look="secondary"
              onClick={() => window.print()}
              size="icon"
              title={texts.print}
            >
              <PrinterIcon className="size-5 text-ink-500" />
            </Button>
            <Button
              aria-label={texts.shortcuts.title}
              className="max-sm:hidden"
              look="secondary"
              onClick={onHelp}
              size="icon"
              title={`${texts.shortcuts.title} (?)`}
            >
              <KeyboardIcon className="size-5 text-ink-500" />
            </Button>
            <Button className="max-sm:flex-1" look="secondary" onClick={onLogout}>
              <LogoutIcon className="size-5 text-ink-500" />
              {texts.logout}
            </Button>
          </div>
        </div>
      </div>
    </header>
  );
}

interface FreshnessProps {
  readonly through: string | undefined;
  readonly hearing: Hearing;
  readonly onRefresh: () => void;
}

/** Up to when the numbers hold, and how new ones arrive. */
function Freshness({ through, hearing, onRefresh }: FreshnessProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-2 text-ink-500 text-sm">
      {through && (
        <p
          className="flex items-center gap-2"
          title={hearing === "live" ? texts.liveHint : texts.polling}
        >
          <span
            aria-hidden="true"
            className={classes(
              "size-2 rounded-full",
              hearing === "live" ? "bg-good-500" : "bg-warn-400",
            )}
          />
          {texts.dataThrough(formatMoment(new Date(through)))}
        </p>
      )}
      <Button className="no-print" look="quiet" onClick={onRefresh} size="small">
        <RefreshIcon className="size-4" />
        {texts.refresh}
      </Button>
    </div>
  );
}
