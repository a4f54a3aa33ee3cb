import { lazy, type RefObject, Suspense } from "react";
import { dashboardTexts } from "../content/dashboard";
import { Card } from "../ui/Card";
import { Tabs } from "../ui/Tabs";
import { Analytics } from "./analytics/Analytics";
import { ContactPlaceholders } from "./contacts/ContactPlaceholders";
import { useContactCounts } from "./contacts/counts";
import { RequestsBadge } from "./contacts/RequestsBadge";
import { WaitingBadge } from "./contacts/WaitingBadge";
import { ConversationList } from "./conversations/ConversationList";
import { Freshness } from "./frame/Freshness";
import { useLive } from "./frame/live";
import { zeroKpis } from "./kpis/indicators";
import type { useKpis } from "./kpis/queries";
import { useSeesPeople } from "./shared/people";
import { hasFilters } from "./shared/state/filters";
import type { Dashboard } from "./shared/state/useDashboard";
import type { useTranscript } from "./transcript/useTranscript";

const texts = dashboardTexts.tabs;
const Contacts = lazy(() => import("./contacts/Contacts"));
const Questions = lazy(() => import("./questions/Questions"));

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

  const seesPeople = useSeesPeople();
  const analytics = {
    name: "analytics",
    label: texts.analytics,
    content: (
      <Analytics
        dashboard={{ ...dashboard, drillDown }}
        kpis={kpis}
        loading={isPending || (seesPeople && list.isPending)}
        // A list that did not come says nothing about how many there are.
        sessions={narrowed || !list.loaded ? kpis.totalConversations : list.total}
      />
    ),
  } as const;
  const aside = <Freshness connection={connection} onRefresh={refresh} through={through?.time} />;
  if (!seesPeople) {
    return (
      <Tabs
        aside={aside}
        label={texts.label}
        onSelect={(tab) => setView({ tab })}
        selected={analytics.name}
        tabs={[analytics]}
      />
    );
  }

  return (
    <Tabs
      aside={aside}
      label={texts.label}
      onSelect={(tab) => setView({ tab })}
      selected={view.tab}
      tabs={[
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
        analytics,
        {
          name: "contacts",
          label: texts.contacts,
          badge: (
            <>
              {waiting > 0 && <WaitingBadge count={waiting} />}
              {openRequests > 0 && <RequestsBadge count={openRequests} />}
            </>
          ),
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
        {
          name: "questions",
          label: texts.questions,
          content: (
            <Suspense
              fallback={
                <Card>
                  <ContactPlaceholders />
                </Card>
              }
            >
              <Questions dashboard={dashboard} onConversation={transcript.open} />
            </Suspense>
          ),
        },
      ]}
    />
  );
}
