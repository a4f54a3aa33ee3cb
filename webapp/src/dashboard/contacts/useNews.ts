import { useEffect } from "react";
import type { Dashboard } from "../shared/state/useDashboard";
import { useContactCounts } from "./counts";
import type { useContacts } from "./queries";

/** The most pages that are asked for again by themselves. */
const mostPagesRenewed = 3;

/**
 * Asks for the list anew when the counts tell of something that it does not hold: reading it is
 * recorded, so that it is not asked for with every piece of news. A long list is left to the
 * reader; then the answer is true.
 */
export function useNews(
  dashboard: Dashboard,
  { data, refetch }: ReturnType<typeof useContacts>,
): boolean {
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
