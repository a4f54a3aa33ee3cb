import { dashboardTexts } from "../../content/dashboard";
import { Card } from "../../ui/Card";
import { Skeleton } from "../../ui/Skeleton";
import { cardRow } from "./cardRow";

const placeholders = [1, 2, 3, 4, 5, 6, 7, 8] as const;

/** Placeholders of the cards, until the first numbers are loaded. */
export function KpiPlaceholders() {
  return (
    <div className={cardRow} data-testid="kpi-placeholders" role="status">
      <span className="sr-only">{dashboardTexts.loadingNumbers}</span>
      {placeholders.map((placeholder) => (
        <Card className="p-4 sm:p-5" key={placeholder}>
          <Skeleton className="h-5 w-2/5" />
          <Skeleton className="mt-2 h-9 w-3/5" />
          <Skeleton className="mt-1 h-5 w-4/5" />
        </Card>
      ))}
    </div>
  );
}
