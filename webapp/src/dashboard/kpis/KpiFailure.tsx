import { reasonOf, referenceOf } from "../../api/problem";
import { dashboardTexts } from "../../content/dashboard";
import { ErrorAlert } from "../../ui/ErrorAlert";
import type { useKpis } from "./queries";

/** Says that the numbers could not be loaded, and what is shown instead. */
export function KpiFailure({ query }: { readonly query: ReturnType<typeof useKpis> }) {
  if (!query.isError) return null;
  return (
    <ErrorAlert
      message={query.data ? dashboardTexts.numbersOutdated : dashboardTexts.numbersFailure}
      onRetry={() => query.refetch()}
      reason={reasonOf(query.error)}
      reference={referenceOf(query.error)}
    />
  );
}
