import { useId } from "react";
import { unusualTexts as texts } from "../../content/dashboardUnusual";
import { LinkButton } from "../../ui/Button";
import { Card } from "../../ui/Card";
import { QueryFailure } from "../shared/QueryState";
import { toldOf, useUnusual } from "./findings";

/** What the staff is to look at, whatever the period: each a sentence that leads to its numbers. */
export function UnusualCard() {
  const title = useId();
  const query = useUnusual();
  const { data, isPending } = query;
  return (
    <Card aria-busy={isPending} aria-labelledby={title} className="p-4 sm:p-5" role="region">
      <h2 className="font-semibold text-ink-900 text-lg" id={title}>
        {texts.title}
      </h2>
      <QueryFailure message={texts.failure} query={query} />
      {isPending && <p className="mt-2 text-ink-500">{texts.loading}</p>}
      {data?.findings.length === 0 && <p className="mt-2 text-ink-600">{texts.none}</p>}
      {data && data.findings.length > 0 && (
        <ul className="mt-2 divide-y divide-sand-200">
          {data.findings.map((finding) => {
            const { sentence, href } = toldOf(finding);
            return (
              <li
                className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2.5"
                key={sentence}
              >
                <p className="min-w-0 flex-1 basis-60 text-ink-900">{sentence}</p>
                <LinkButton
                  className="no-print"
                  href={href}
                  label={`${texts.see[finding.kind]}: ${sentence}`}
                  size="small"
                  variant="secondary"
                >
                  {texts.see[finding.kind]}
                </LinkButton>
              </li>
            );
          })}
        </ul>
      )}
      <p className="mt-2 text-ink-500 text-sm">{texts.note}</p>
    </Card>
  );
}
