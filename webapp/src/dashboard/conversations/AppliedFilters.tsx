import { filterTexts } from "../../content/dashboardFilters";
import { hasFilters } from "../shared/state/filters";
import type { Dashboard } from "../shared/state/useDashboard";
import { Chips } from "./Chips";

/** Says above the numbers which filters are about them too. */
export function AppliedFilters({ dashboard }: { readonly dashboard: Dashboard }) {
  const { view, setView } = dashboard;
  if (!view.everywhere || !hasFilters(view.filters)) return null;
  return (
    <div className="flex flex-wrap items-center gap-2 text-ink-700 text-sm">
      <p className="font-medium">{filterTexts.applied}:</p>
      <Chips filters={view.filters} onFilter={(filters) => setView({ filters })} />
    </div>
  );
}
