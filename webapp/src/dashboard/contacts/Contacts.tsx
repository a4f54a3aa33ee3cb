import { useState } from "react";
import { dashboardTexts } from "../../content/dashboard";
import { contactTexts } from "../../content/dashboardContacts";
import { ButtonLink } from "../../ui/Button";
import { Card } from "../../ui/Card";
import { classes } from "../../ui/classes";
import { EmptyState } from "../shared/EmptyState";
import { DownloadIcon, PersonIcon } from "../shared/icons";
import { More } from "../shared/More";
import { NewDataNotice } from "../shared/NewDataNotice";
import { QueryFailure } from "../shared/QueryState";
import { useMay } from "../shared/rights";
import type { Dashboard } from "../shared/state/useDashboard";
import { ContactFilterBar } from "./ContactFilterBar";
import { ContactItem } from "./ContactItem";
import { ContactPlaceholders } from "./ContactPlaceholders";
import { useContactCounts } from "./counts";
import { contactsFile, conversationsOf, useContacts } from "./queries";
import { RequestList } from "./RequestList";
import { RequestsNotice } from "./RequestsNotice";
import { useContactUpdates } from "./useContactUpdates";

const texts = contactTexts;

interface ContactsProps {
  readonly dashboard: Dashboard;
  /** Opens one of the conversations of the listed contacts. */
  readonly onConversation: (id: string, listed: readonly string[]) => void;
}

/** The people of the period who left a way to be reached, and how far the staff has come with them. */
export default function Contacts({ dashboard, onConversation }: ContactsProps) {
  const { cohort, view } = dashboard;
  // Names and phones have no place in an address.
  const [q, setQ] = useState<string>();
  // Who calls back left their data at any time.
  const [everywhere, setEverywhere] = useState(true);
  const allTime = (q !== undefined && everywhere) || undefined;
  const filters = { kind: view.contactKind, status: view.contactStatus, q, allTime };
  const query = useContacts(cohort, filters);
  const { total = 0 } = query.data?.pages[0] ?? {};
  const counts = useContactCounts(cohort, view.contactKind).data;
  const [requests, setRequests] = useState<"open" | "all">();
  const mayExport = useMay("export");
  const mayAnswer = useMay("privacy");
  const waiting = counts?.openRequests ?? 0;

  return (
    <Card>
      <div className="flex flex-wrap items-center justify-between gap-3 px-5 pt-5 pb-3 sm:px-6">
        <h2 className="font-semibold text-ink-900 text-lg">{texts.title}</h2>
        {mayExport && total > 0 && !requests && (
          <ButtonLink
            className="no-print"
            download
            href={contactsFile(cohort, filters)}
            variant="secondary"
            size="small"
          >
            <DownloadIcon className="size-4 text-ink-500" />
            {texts.export}
          </ButtonLink>
        )}
      </div>
      {mayAnswer && waiting > 0 && !requests && (
        <RequestsNotice
          count={waiting}
          due={counts?.nextRequestDue}
          onShow={() => setRequests("open")}
        />
      )}
      <ContactFilterBar
        allTime={everywhere}
        dashboard={dashboard}
        onAllTime={setEverywhere}
        onRequests={setRequests}
        onSearch={setQ}
        q={q}
        requests={requests}
      />
      {requests && <RequestList done={requests === "all"} onConversation={onConversation} />}
      {!requests && (
        <Period
          dashboard={dashboard}
          filters={filters}
          onConversation={onConversation}
          query={query}
        />
      )}
    </Card>
  );
}

interface PeriodProps extends ContactsProps {
  readonly filters: object;
  readonly query: ReturnType<typeof useContacts>;
}

/** Those of the period. */
function Period({ dashboard, filters, query, onConversation }: PeriodProps) {
  const { data, isPending, isPlaceholderData, refetch } = query;
  const contacts = data?.pages.flatMap((page) => page.contacts) ?? [];
  const { total = 0, searched } = data?.pages[0] ?? {};
  const outdated = useContactUpdates(dashboard, query);
  return (
    <>
      {outdated && <NewDataNotice message={texts.fresh} onShow={() => refetch()} />}
      {!query.isFetchNextPageError && (
        <QueryFailure
          className="px-5 pb-5 sm:px-6"
          message={data ? texts.outdated : texts.failure}
          query={query}
        />
      )}
      {searched && (
        <p className="border-sand-200 border-t bg-warn-50 px-5 py-2 text-sm text-warn-800 sm:px-6">
          {texts.searched(searched)}
        </p>
      )}
      {isPending && <ContactPlaceholders />}
      {data && contacts.length === 0 && <Empty filtered={Object.values(filters).some(Boolean)} />}
      {contacts.length > 0 && (
        <>
          <ul
            aria-busy={isPlaceholderData}
            className={classes(
              "divide-y divide-sand-200 border-sand-200 border-y transition-opacity",
              isPlaceholderData && "opacity-50",
            )}
          >
            {contacts.map((contact) => (
              <ContactItem
                contact={contact}
                key={`${contact.kind}/${contact.id}`}
                onConversation={(id) => onConversation(id, conversationsOf(contacts))}
              />
            ))}
          </ul>
          <More query={query} shown={texts.shown(contacts.length, total)} texts={texts} />
        </>
      )}
    </>
  );
}

function Empty({ filtered }: { readonly filtered: boolean }) {
  return (
    <EmptyState
      hint={filtered ? dashboardTexts.emptyFilteredHint : texts.emptyHint}
      icon={PersonIcon}
      title={filtered ? texts.emptyFiltered : texts.empty}
    />
  );
}
