import { accountTexts } from "../../content/account";
import { formatMoment } from "../../content/dates";
import { Badge } from "../../ui/Badge";
import { Button } from "../../ui/Button";
import { Card } from "../../ui/Card";
import { showToast } from "../../ui/toasts";
import { FormFailure } from "../shared/FormFailure";
import { QueryState } from "../shared/QueryState";
import { useSessions, useSessionsEnd } from "./queries";

const texts = accountTexts.sessions;

/** Where one is signed in, and the ways out. */
export function SessionsCard() {
  const query = useSessions();
  const end = useSessionsEnd();
  const sessions = query.data ?? [];
  const others = sessions.filter(({ current }) => !current);

  return (
    <Card className="p-5 sm:p-6">
      <h2 className="font-semibold text-ink-900 text-lg">{texts.title}</h2>
      <p className="mt-1 text-[0.9375rem] text-ink-600">{texts.hint}</p>
      <QueryState query={query} texts={texts} />
      <ul className="mt-3 divide-y divide-sand-200">
        {sessions.map(({ id, browser, lastSeenAt, createdAt, current }) => (
          <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3" key={id}>
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-2 font-medium text-ink-900 [overflow-wrap:anywhere]">
                {browser || texts.unknown}
                {current && <Badge variant="lead">{texts.current}</Badge>}
              </p>
              <p className="text-ink-500 text-sm tabular-nums">
                <Moment at={lastSeenAt} label={texts.lastSeen} /> ·{" "}
                <Moment at={createdAt} label={texts.since} />
              </p>
            </div>
            {!current && (
              <Button
                aria-disabled={end.isPending}
                aria-label={texts.endOf(browser || texts.unknown)}
                onClick={() =>
                  end.mutate({ id }, { onSuccess: () => showToast({ title: texts.ended }) })
                }
                size="small"
                variant="secondary"
              >
                {texts.end}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <FormFailure error={end.error} otherwise={texts.endFailure} />
      {query.data && others.length === 0 && <p className="mt-1 text-ink-500">{texts.none}</p>}
      {others.length > 1 && (
        <Button
          aria-disabled={end.isPending}
          className="mt-3"
          onClick={() =>
            end.mutate({}, { onSuccess: () => showToast({ title: texts.othersEnded }) })
          }
          variant="secondary"
        >
          {texts.endOthers}
        </Button>
      )}
    </Card>
  );
}

function Moment({ label, at }: { readonly label: string; readonly at: string }) {
  return (
    <span className="whitespace-nowrap">
      {label} <time dateTime={at}>{formatMoment(new Date(at))}</time>
    </span>
  );
}
