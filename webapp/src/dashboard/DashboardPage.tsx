import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useSearchParams } from "wouter";
import { dashboardTexts } from "../content/dashboard";
import { formatMoment } from "../content/spanish";
import { Button } from "../ui/Button";
import { classes } from "../ui/classes";
import { FailureStrip } from "../ui/FailureStrip";
import { LogoutIcon, RefreshIcon } from "../ui/icons";
import { Mark } from "../ui/Mark";
import { Tabs } from "../ui/Tabs";
import { usePage } from "../ui/usePage";
import { Analytics } from "./Analytics";
import { ConversationList } from "./ConversationList";
import { KpiCards, KpiPlaceholders } from "./KpiCards";
import { LimitCard } from "./LimitCard";
import { PeriodPicker } from "./PeriodPicker";
import {
  addressOfDays,
  type DayRange,
  daysFromAddress,
  daysOf,
  periodOf,
  recentPeriod,
} from "./period";
import {
  type ConversationSummary,
  dashboardKey,
  type Kpis,
  useConversations,
  useKpis,
} from "./queries";
import { TranscriptDialog } from "./TranscriptDialog";

const texts = dashboardTexts;

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

/** The period lives in the address; without one it is the last 30 days up to now. */
function usePeriod() {
  const [search, setSearch] = useSearchParams();
  const [now, setNow] = useState(() => new Date());
  const queries = useQueryClient();
  const address = search.toString();

  const period = useMemo(() => {
    const days = daysFromAddress(new URLSearchParams(address));
    return days ? periodOf(days) : recentPeriod(now);
  }, [address, now]);

  return {
    period,
    pick(days: DayRange | undefined) {
      setNow(new Date());
      setSearch(addressOfDays(days));
    },
    refresh() {
      if (daysFromAddress(search)) queries.invalidateQueries({ queryKey: [dashboardKey] });
      else setNow(new Date());
    },
  };
}

interface DashboardPageProps {
  readonly onLogout: () => void;
}

/** What the chatbot did in a period, for the clinic's staff. */
export function DashboardPage({ onLogout }: DashboardPageProps) {
  usePage(texts.pageTitle);
  const { period, pick, refresh } = usePeriod();
  const [tab, setTab] = useState<"conversations" | "analytics">("conversations");
  const [opened, setOpened] = useState<ConversationSummary>();
  const numbers = useKpis(period);
  const conversations = useConversations(period);
  const kpis = numbers.data ?? zeroKpis;
  const dataThrough = numbers.data?.dataThrough.time;

  return (
    <div className="min-h-dvh bg-sand-50">
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
            <PeriodPicker days={daysOf(period)} onPick={pick} />
            <Button look="secondary" onClick={onLogout}>
              <LogoutIcon className="size-5 text-ink-500" />
              {texts.logout}
            </Button>
          </div>
        </div>
      </header>

      <main className="page flex flex-col gap-4 py-6 sm:gap-5">
        {numbers.isError && (
          <FailureStrip message={texts.numbersFailure} onRetry={() => numbers.refetch()} />
        )}
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
            <KpiCards kpis={kpis} />
            {kpis.monthlyLimit && <LimitCard limit={kpis.monthlyLimit} />}
          </section>
        )}
        <Tabs
          aside={
            <div className="flex items-center gap-1 text-ink-500 text-sm">
              {dataThrough && <p>{texts.dataThrough(formatMoment(new Date(dataThrough)))}</p>}
              <Button look="quiet" onClick={refresh} size="small">
                <RefreshIcon className="size-4" />
                {texts.refresh}
              </Button>
            </div>
          }
          label={texts.tabs.label}
          onSelect={setTab}
          selected={tab}
          tabs={[
            {
              name: "conversations",
              label: texts.tabs.conversations,
              content: <ConversationList onOpen={setOpened} query={conversations} />,
            },
            {
              name: "analytics",
              label: texts.tabs.analytics,
              content: (
                <Analytics
                  kpis={kpis}
                  loading={numbers.isPending || conversations.isPending}
                  sessions={conversations.data?.pages[0]?.total ?? 0}
                />
              ),
            },
          ]}
        />
      </main>
      <TranscriptDialog conversation={opened} onClose={() => setOpened(undefined)} />
    </div>
  );
}
