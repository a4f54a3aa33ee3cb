import { useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { problemOf } from "../../api/problem";
import { askAgain, failedQueries, isTemporary } from "../../api/recovery";
import { dashboardTexts } from "../../content/dashboard";
import { ErrorAlert } from "../../ui/ErrorAlert";
import { pageOfList } from "../shared/conversations";
import { dashboardKey } from "../shared/queries";

const texts = dashboardTexts.failures;

/** The failures on screen, as long as they are the same. */
function useFailedQueries() {
  const client = useQueryClient();
  const cache = client.getQueryCache();
  const failed = () =>
    // A further page has a button of its own where its rows would be, and a dialog one inside of it.
    failedQueries(client).filter(
      ({ queryKey, state }) =>
        queryKey[0] === dashboardKey &&
        queryKey[1] !== "messages" &&
        !pageOfList(queryKey) &&
        !state.fetchMeta?.fetchMore,
    );
  useSyncExternalStore(
    (changed) => cache.subscribe(changed),
    () =>
      failed()
        .map(({ queryHash, state }) => queryHash + state.errorUpdatedAt)
        .join(),
  );
  return failed();
}

interface FailuresProps {
  /** Is told which calls are about to be asked again. */
  readonly onRetry: (calls: readonly unknown[]) => void;
}

/** Says why parts of the page could not be loaded, and asks for all of them anew. */
export function Failures({ onRetry }: FailuresProps) {
  const client = useQueryClient();
  const failed = useFailedQueries();
  if (failed.length === 0) return null;
  const errors = failed.map(({ state }) => state.error);
  const reasons = new Set(errors.map((error) => problemOf(error)?.message).filter(Boolean));
  if (errors.some(isTemporary)) reasons.add(texts.automatic);
  return (
    <div className="no-print">
      <ErrorAlert
        message={texts.message}
        onRetry={() => {
          onRetry(failed.map(({ queryKey }) => queryKey[1]));
          askAgain(client);
        }}
        reason={[...reasons].join(" ")}
      />
    </div>
  );
}
