import { useEffect } from "react";
import type { Dashboard } from "../shared/state/useDashboard";
import { useContactCounts } from "./counts";
import type { useContacts } from "./queries";

/** The most pages that are asked for again by themselves. */
const mostPagesRenewed = 3;

/**
 * Reloads the list when the counts hold a later position: reading it is audited, so that it is
 * not reloaded with every event. A long list is left to the reader: the result is true.
 */
export function useContactUpdates(
  dashboard: Dashboard,
  { data, refetch }: ReturnType<typeof useContacts>,
): boolean {
  const counts = useContactCounts(dashboard.cohort, dashboard.view.contactKind);
  const latest = counts.isPlaceholderData ? 0 : (counts.data?.lastPosition ?? 0);
  const outdated = data !== undefined && latest > Math.min(...data.pages.map((p) => p.through));
  const long = (data?.pages.length ?? 0) > mostPagesRenewed;

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each position
  useEffect(() => {
    if (outdated && !long) refetch();
  }, [latest]);
  return outdated && long;
}
