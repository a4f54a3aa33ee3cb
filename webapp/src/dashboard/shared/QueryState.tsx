import { createContext, useContext } from "react";
import { problemOf } from "../../api/problem";
import { dashboardTexts } from "../../content/dashboard";
import { formatMoment } from "../../content/dates";
import { ErrorAlert } from "../../ui/ErrorAlert";
import type { Known } from "./lasting";
import { Placeholders } from "./Placeholders";
import { formatDays } from "./state/period";

/** Whether one button above asks anew for all that failed, with what the server says about it. */
export const AskedTogether = createContext(false);

interface Failing {
  readonly isError: boolean;
  readonly error?: unknown;
  /** Which numbers are shown in the place of those that did not come. */
  readonly outdated?: Known | undefined;
  /** When what is shown in its place came, in milliseconds since the epoch; 0 for nothing. */
  readonly dataUpdatedAt?: number;
  refetch(): unknown;
}

interface QueryFailureProps {
  readonly query: Failing;
  readonly message: string;
  /** The classes of the room around it. */
  readonly className?: string | undefined;
}

/** Says that what was asked for did not come, and asks again; nothing where it came. */
export function QueryFailure({ query, message, className }: QueryFailureProps) {
  const together = useContext(AskedTogether);
  if (!query.isError) return null;
  const problem = problemOf(query.error);
  const { outdated, dataUpdatedAt } = query;
  const known = outdated ?? (dataUpdatedAt ? { through: new Date(dataUpdatedAt) } : undefined);
  const alert = (
    <ErrorAlert
      message={known ? `${message} ${datedWords(known)}` : message}
      onRetry={together ? undefined : () => query.refetch()}
      reason={together ? undefined : problem?.message}
      reference={problem?.requestId}
    />
  );
  return className ? <div className={className}>{alert}</div> : alert;
}

function datedWords({ days, through }: Known): string {
  return dashboardTexts.known(days && formatDays(days), through && formatMoment(through));
}

interface QueryStateProps {
  readonly query: Failing & { readonly isPending: boolean };
  readonly texts: { readonly loading: string; readonly failure: string };
}

/** What a card shows in the place of what it asks for: that it is on its way, or did not come. */
export function QueryState({ query, texts }: QueryStateProps) {
  return (
    <>
      {query.isPending && <Placeholders label={texts.loading} />}
      <QueryFailure className="mt-4" message={texts.failure} query={query} />
    </>
  );
}
