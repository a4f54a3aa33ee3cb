import { dashboardTexts } from "../../content/dashboard";
import { classes } from "../../ui/classes";
import type { Metric } from "../shared/state/address";
import type { Filters } from "../shared/state/filters";
import { daysOf, formatDays } from "../shared/state/period";
import { cardRow } from "./cardRow";
import { indicators } from "./indicators";
import { KpiCard } from "./KpiCard";
import type { Kpis } from "./queries";

interface KpiCardsProps {
  readonly kpis: Kpis;
  /** Whether they are of the period before, until those of this one are there. */
  readonly outdated: boolean;
  /** The number that the chart shows. */
  readonly selected: Metric;
  readonly onSelect: (metric: Metric) => void;
  readonly onOpen: (filters: Filters) => void;
}

/** The four numbers of the period; the one that is chosen is drawn over time. */
export function KpiCards({ kpis, outdated, selected, onSelect, onOpen }: KpiCardsProps) {
  return (
    <section
      aria-busy={outdated}
      aria-label={dashboardTexts.indicators}
      className={classes(
        "flex flex-col gap-3 transition-opacity sm:gap-4",
        outdated && "opacity-50",
      )}
    >
      <dl className={cardRow}>
        {indicators.map((indicator) => (
          <KpiCard
            indicator={indicator}
            key={indicator.metric}
            kpis={kpis}
            onOpen={() => onOpen(indicator.filters)}
            onSelect={() => onSelect(indicator.metric)}
            selected={indicator.metric === selected}
          />
        ))}
      </dl>
      {kpis.comparison && <Compared to={kpis.comparison} />}
    </section>
  );
}

/** The days that the numbers are compared with. */
function Compared({ to }: { readonly to: NonNullable<Kpis["comparison"]> }) {
  const days = daysOf({ start: new Date(to.startDate), end: new Date(to.endDate) });
  return (
    <p className="-mt-1 text-ink-500 text-sm">{dashboardTexts.delta.compared(formatDays(days))}</p>
  );
}
