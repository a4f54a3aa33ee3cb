import { dashboardTexts } from "../../content/dashboard";
import { type CardMetric, cardMetrics, type Metric } from "../../content/dashboardKpis";
import { classes } from "../../ui/classes";
import type { Filters } from "../shared/state/filters";
import { daysOf, formatDays } from "../shared/state/period";
import { cardRow } from "./cardRow";
import { indicators, type Kpis } from "./indicators";
import { KpiCard } from "./KpiCard";

interface KpiCardsProps {
  readonly kpis: Kpis;
  /** Whether they are of the period before, until those of this one are there. */
  readonly outdated: boolean;
  /** The number that the chart shows. */
  readonly selected: Metric;
  readonly onSelect: (metric: CardMetric) => void;
  readonly onOpen: (filters: Filters) => void;
}

/** The numbers of the period; the one that is chosen is drawn over time. */
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
        {cardMetrics.map((metric) => (
          <KpiCard
            key={metric}
            kpis={kpis}
            metric={metric}
            onOpen={() => onOpen(indicators[metric].filters)}
            onSelect={() => onSelect(metric)}
            selected={metric === selected}
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
