import { dashboardTexts } from "../../content/dashboard";
import { QueryFailure } from "../shared/QueryState";
import type { useKpis } from "./queries";

interface KpiFailureProps {
  readonly query: ReturnType<typeof useKpis>;
  readonly className?: string;
}

/** Says that the numbers could not be loaded, and which are shown instead. */
export function KpiFailure({ query, className }: KpiFailureProps) {
  const message = query.outdated ? dashboardTexts.numbersOutdated : dashboardTexts.numbersFailure;
  return <QueryFailure className={className} message={message} query={query} />;
}
