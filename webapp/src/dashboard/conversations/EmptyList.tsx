import { dashboardTexts } from "../../content/dashboard";
import { formatMoment } from "../../content/dates";
import { Button } from "../../ui/Button";
import { ChatIcon } from "../../ui/icons";
import { EmptyState } from "../shared/EmptyState";
import { hasFilters } from "../shared/state/filters";
import { countDays } from "../shared/state/period";
import { presets } from "../shared/state/presets";
import type { Dashboard } from "../shared/state/useDashboard";
import { useLatestConversation } from "./queries";

const texts = dashboardTexts.list;

/** Says why there is no conversation, and leads to where there are some. */
export function EmptyList({ dashboard }: { readonly dashboard: Dashboard }) {
  const { view, chosen, today, pick } = dashboard;
  const filtered = hasFilters(view.filters);
  const latest = useLatestConversation(!filtered).data;
  const quarter = presets.find(({ name }) => name === "quarter")?.days(today);
  return (
    <EmptyState
      hint={
        filtered ? dashboardTexts.emptyFilteredHint : latest === null ? texts.none : texts.emptyHint
      }
      icon={ChatIcon}
      title={filtered ? texts.emptyFiltered : texts.empty}
    >
      {latest && (
        <p className="text-ink-500 text-sm">{texts.latest(formatMoment(new Date(latest)))}</p>
      )}
      {!filtered &&
        latest !== null &&
        quarter &&
        (!chosen || countDays(chosen) < countDays(quarter)) && (
          <Button className="mt-2" variant="secondary" onClick={() => pick(quarter)} size="small">
            {texts.showQuarter}
          </Button>
        )}
    </EmptyState>
  );
}
