import { useState } from "react";
import { Link } from "wouter";
import { auditTexts } from "../../content/account";
import { formatMoment } from "../../content/dates";
import { Button } from "../../ui/Button";
import { Card } from "../../ui/Card";
import { QueryState } from "../shared/QueryState";
import { AuditFilterBar } from "./AuditFilterBar";
import { detailsOf, wordOf } from "./auditDetails";
import { type AuditEntry, type AuditFilters, useAudit } from "./queries";

const texts = auditTexts;
const all: AuditFilters = { account: "", what: "", startDate: "", endDate: "" };

/** What accounts and operators did, and what was done to accounts. */
export function AuditCard() {
  const [filters, setFilters] = useState(all);
  const query = useAudit(filters);
  const entries = query.data?.pages.flatMap((page) => page.entries) ?? [];

  return (
    <Card className="p-5 sm:p-6">
      <h2 className="font-semibold text-ink-900 text-lg">{texts.list}</h2>
      <AuditFilterBar filters={filters} onFilter={setFilters} />
      <QueryState query={query} texts={texts} />
      {query.data && entries.length === 0 && <p className="mt-5 text-ink-500">{texts.empty}</p>}
      <ol className="mt-3 divide-y divide-sand-200">
        {entries.map((entry) => (
          <Entry entry={entry} key={entry.position} />
        ))}
      </ol>
      {query.hasNextPage && (
        <Button
          aria-disabled={query.isFetchingNextPage}
          className="mt-3"
          onClick={() => query.fetchNextPage()}
          variant="secondary"
        >
          {texts.more}
        </Button>
      )}
    </Card>
  );
}

function Entry({ entry }: { readonly entry: AuditEntry }) {
  const { what, who, account, time } = entry;
  const about = [nameOf(who), ...(account === who ? [] : [texts.to(nameOf(account))])];
  return (
    <li className="py-3 [overflow-wrap:anywhere]">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-medium text-ink-900">{wordOf(texts.names, what)}</span>
        <time className="text-ink-500 text-sm tabular-nums" dateTime={time}>
          {formatMoment(new Date(time))}
        </time>
      </p>
      <p className="text-ink-600 text-sm">
        {about.join(" · ")}
        {detailsOf(entry).map(({ text, href }) => (
          <span key={text}>
            {" · "}
            {href ? (
              <Link className="font-medium text-teal-700 underline underline-offset-2" href={href}>
                {text}
              </Link>
            ) : (
              text
            )}
          </span>
        ))}
      </p>
    </li>
  );
}

function nameOf(who: string): string {
  const { operator, program, visitor, nobody, gone } = texts;
  return wordOf({ operator, program, visitor, nobody, gone }, who);
}
