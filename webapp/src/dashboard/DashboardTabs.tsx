import { type ReactNode, type RefObject, Suspense } from "react";
import { dashboardTexts } from "../content/dashboard";
import { contactTexts } from "../content/dashboardContacts";
import { lazyPart } from "../ui/Boundary";
import { Card } from "../ui/Card";
import { Tabs } from "../ui/Tabs";
import { ContactPlaceholders } from "./contacts/ContactPlaceholders";
import { CountBadge } from "./contacts/CountBadge";
import { useContactCounts } from "./contacts/counts";
import { ConversationList } from "./conversations/ConversationList";
import { Freshness } from "./frame/Freshness";
import { useLive } from "./frame/live";
import { zeroKpis } from "./kpis/indicators";
import { KpiFailure } from "./kpis/KpiFailure";
import type { useKpis } from "./kpis/queries";
import { useMay } from "./shared/rights";
import { hasFilters } from "./shared/state/filters";
import type { Dashboard } from "./shared/state/useDashboard";
import type { useTranscript } from "./transcript/useTranscript";

const texts = dashboardTexts.tabs;
const Analytics = lazyPart(() => import("./analytics/Analytics"));
const Contacts = lazyPart(() => import("./contacts/Contacts"));
const Questions = lazyPart(() => import("./questions/Questions"));

interface DashboardTabsProps {
  readonly dashboard: Dashboard;
  /** Drills down, and scrolls to the list. */
  readonly drillDown: Dashboard["drillDown"];
  readonly kpis: ReturnType<typeof useKpis>;
  readonly transcript: ReturnType<typeof useTranscript>;
  readonly search: RefObject<HTMLInputElement | null>;
}

/** Conversations, analytics and contacts, and up to when they hold. */
export function DashboardTabs(props: DashboardTabsProps) {
  const { dashboard, drillDown, transcript, search } = props;
  const { cohort, view, setView, refresh, renew } = dashboard;
  const { data: kpis = zeroKpis, isPending } = props.kpis;
  const through = props.kpis.data?.dataThrough;
  const connection = useLive(through?.position, renew);
  const { new: waiting = 0, openRequests = 0 } = useContactCounts(cohort).data ?? {};
  const { list } = transcript;
  const narrowed = hasFilters(view.filters) && !view.everywhere;

  const seesPeople = useMay("people");
  const tabs = [
    {
      name: "conversations",
      label: texts.conversations,
      content: (
        <ConversationList
          dashboard={dashboard}
          flagged={kpis.flaggedConversations ?? 0}
          list={list}
          onOpen={transcript.open}
          search={search}
        />
      ),
    },
    {
      name: "analytics",
      label: texts.analytics,
      content: (
        <FetchedTab>
          <Analytics
            dashboard={{ ...dashboard, drillDown }}
            failure={<KpiFailure className="lg:col-span-2" query={props.kpis} />}
            kpis={kpis}
            loading={isPending || (seesPeople && list.isPending)}
            // A list that did not come says nothing about how many there are.
            sessions={narrowed || !list.loaded ? kpis.totalConversations : list.total}
          />
        </FetchedTab>
      ),
    },
    {
      name: "contacts",
      label: texts.contacts,
      badge: (
        <>
          <CountBadge count={waiting} label={contactTexts.waiting} tone="warning" />
          <CountBadge count={openRequests} label={contactTexts.requests.badge} tone="alarm" />
        </>
      ),
      content: (
        <FetchedTab>
          <Contacts dashboard={dashboard} onConversation={transcript.openAmong} />
        </FetchedTab>
      ),
    },
    {
      name: "questions",
      label: texts.questions,
      content: (
        <FetchedTab>
          <Questions dashboard={dashboard} onConversation={transcript.openAmong} />
        </FetchedTab>
      ),
    },
  ] as const;
  return (
    <Tabs
      aside={<Freshness connection={connection} onRefresh={refresh} through={through?.time} />}
      label={texts.label}
      onSelect={(tab) => setView({ tab })}
      selected={seesPeople ? view.tab : "analytics"}
      tabs={seesPeople ? tabs : tabs.filter(({ name }) => name === "analytics")}
    />
  );
}

/** A tab whose code is fetched once it is opened. */
function FetchedTab({ children }: { readonly children: ReactNode }) {
  const waiting = (
    <Card>
      <ContactPlaceholders />
    </Card>
  );
  return <Suspense fallback={waiting}>{children}</Suspense>;
}
