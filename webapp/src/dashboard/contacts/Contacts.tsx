import { useEffect, useState } from "react";
import { referenceOf } from "../../api/problem";
import { contactTexts } from "../../content/dashboardContacts";
import { formatCount } from "../../content/numbers";
import { Button, ButtonLink } from "../../ui/Button";
import { Card } from "../../ui/Card";
import { classes } from "../../ui/classes";
import { FailureStrip } from "../../ui/FailureStrip";
import { PersonIcon } from "../../ui/icons";
import { DownloadIcon } from "../shared/icons";
import { SearchField } from "../shared/SearchField";
import { Select } from "../shared/Select";
import { Switch } from "../shared/Switch";
import type { Dashboard } from "../shared/state/useDashboard";
import { ContactItem } from "./ContactItem";
import { ContactPlaceholders } from "./ContactPlaceholders";
import { useContactCounts } from "./counts";
import { type ContactKind, contactsFile, useContacts } from "./queries";
import { statuses } from "./statuses";

const texts = contactTexts;

interface ContactsProps {
  readonly dashboard: Dashboard;
  readonly onConversation: (id: string) => void;
}

/** The people of the period who left a way to be reached, and how far the staff has come with them. */
export default function Contacts({ dashboard, onConversation }: ContactsProps) {
  const { scope, view } = dashboard;
  // Names and phones have no place in an address.
  const [q, setQ] = useState<string>();
  const filters = { kind: view.contactKind, status: view.contactStatus, q };
  const query = useContacts(scope, filters);
  const { data, isPending, isPlaceholderData, isError, refetch } = query;
  const contacts = data?.pages.flatMap((page) => page.contacts) ?? [];
  const { total = 0, searched } = data?.pages[0] ?? {};
  const behind = useNews(dashboard, query);

  return (
    <Card>
      <div className="flex flex-wrap items-center justify-between gap-3 px-5 pt-5 pb-3 sm:px-6">
        <h2 className="font-semibold text-ink-900 text-lg">{texts.title}</h2>
        {total > 0 && (
          <ButtonLink
            className="no-print"
            download
            href={contactsFile(scope, filters)}
            look="secondary"
            size="small"
          >
            <DownloadIcon className="size-4 text-ink-500" />
            {texts.export}
          </ButtonLink>
        )}
      </div>
      <ContactFilterBar dashboard={dashboard} onSearch={setQ} q={q} />
      {behind && (
        <div className="flex items-center justify-between gap-3 border-sand-200 border-t bg-teal-50 px-5 py-2 text-sm text-teal-800 sm:px-6">
          <p role="status">{texts.fresh}</p>
          <Button look="quiet" onClick={() => refetch()} size="small">
            {texts.showFresh}
          </Button>
        </div>
      )}
      {isError && !query.isFetchNextPageError && (
        <div className="px-5 pb-5 sm:px-6">
          <FailureStrip
            message={data ? texts.outdated : texts.failure}
            onRetry={() => refetch()}
            reference={referenceOf(query.error)}
          />
        </div>
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
                onConversation={onConversation}
              />
            ))}
          </ul>
          <More query={query} shown={contacts.length} total={total} />
        </>
      )}
    </Card>
  );
}

/** The most pages that are asked for again by themselves. */
const mostPagesRenewed = 3;

/**
 * Asks for the list anew when the counts tell of something that it does not hold: reading it is
 * recorded, so that it is not asked for with every piece of news. A long list is left to the
 * reader; then the answer is true.
 */
function useNews(dashboard: Dashboard, { data, refetch }: ReturnType<typeof useContacts>): boolean {
  const counts = useContactCounts(dashboard.scope, dashboard.view.contactKind);
  const latest = counts.isPlaceholderData ? 0 : (counts.data?.lastPosition ?? 0);
  const behind = data !== undefined && latest > Math.min(...data.pages.map((p) => p.through));
  const long = (data?.pages.length ?? 0) > mostPagesRenewed;

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each piece of news
  useEffect(() => {
    if (behind && !long) refetch();
  }, [latest]);
  return behind && long;
}

interface ContactFilterBarProps {
  readonly dashboard: Dashboard;
  readonly q: string | undefined;
  readonly onSearch: (q: string | undefined) => void;
}

function ContactFilterBar({ dashboard, q, onSearch }: ContactFilterBarProps) {
  const { view, scope, look } = dashboard;
  const counts = useContactCounts(scope, view.contactKind).data;
  const numbered = (label: string, count: number | undefined) =>
    count === undefined ? label : `${label} (${formatCount(count)})`;
  return (
    <search className="no-print flex flex-wrap items-center gap-2 px-5 pb-4 sm:px-6">
      <SearchField
        hint={texts.searchHint}
        label={texts.searchLabel}
        onSearch={onSearch}
        placeholder={texts.searchPlaceholder}
        value={q ?? ""}
      />
      <fieldset aria-label={texts.statusLabel} className="contents">
        {statuses.map((status) => (
          <Switch
            key={status}
            label={numbered(texts.statuses[status], counts?.[status])}
            on={view.contactStatus === status}
            onToggle={() =>
              look({ contactStatus: view.contactStatus === status ? undefined : status })
            }
          />
        ))}
      </fieldset>
      <Select
        aria-label={texts.kindLabel}
        onChange={({ target }) =>
          look({ contactKind: (target.value || undefined) as ContactKind | undefined })
        }
        value={view.contactKind ?? ""}
      >
        <option value="">{texts.kinds.all}</option>
        <option value="lead">{texts.kinds.lead}</option>
        <option value="message">{texts.kinds.message}</option>
      </Select>
    </search>
  );
}

interface MoreProps {
  readonly query: ReturnType<typeof useContacts>;
  readonly shown: number;
  readonly total: number;
}

function More({ query, shown, total }: MoreProps) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 px-5 py-4 sm:px-6">
      {isFetchNextPageError && (
        <div className="w-full">
          <FailureStrip
            message={texts.failure}
            onRetry={() => fetchNextPage()}
            reference={referenceOf(query.error)}
          />
        </div>
      )}
      <p aria-live="polite" className="text-ink-500 text-sm tabular-nums">
        {texts.shown(shown, total)}
      </p>
      {hasNextPage && (
        <Button
          aria-disabled={isFetchingNextPage}
          look="secondary"
          onClick={() => !isFetchingNextPage && fetchNextPage()}
          size="small"
        >
          {isFetchingNextPage ? texts.loadingMore : texts.more}
        </Button>
      )}
    </div>
  );
}

function Empty({ filtered }: { readonly filtered: boolean }) {
  return (
    <div className="grid justify-items-center gap-2 border-sand-200 border-t px-5 py-14 text-center">
      <span className="mb-1 grid size-12 place-items-center rounded-full bg-sand-100 text-ink-500">
        <PersonIcon className="size-6" />
      </span>
      <p className="font-medium text-ink-900">{filtered ? texts.emptyFiltered : texts.empty}</p>
      <p className="text-ink-500 text-sm">{filtered ? texts.emptyFilteredHint : texts.emptyHint}</p>
    </div>
  );
}
