import { dashboardTexts } from "../../content/dashboard";
import { formatMoment } from "../../content/dates";
import { Button } from "../../ui/Button";
import { classes } from "../../ui/classes";
import { RefreshIcon } from "../../ui/icons";
import type { Connection } from "./live";

const texts = dashboardTexts;

interface FreshnessProps {
  readonly through: string | undefined;
  readonly connection: Connection;
  readonly onRefresh: () => void;
}

/** Up to when the numbers hold, and how new ones arrive. */
export function Freshness({ through, connection, onRefresh }: FreshnessProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-2 text-ink-500 text-sm">
      {through && (
        <p
          className="flex items-center gap-2"
          title={connection === "live" ? texts.liveHint : texts.polling}
        >
          <span
            aria-hidden="true"
            className={classes(
              "size-2 rounded-full",
              connection === "live" ? "bg-good-500" : "bg-warn-400",
            )}
          />
          {texts.dataThrough(formatMoment(new Date(through)))}
        </p>
      )}
      <Button className="no-print" variant="quiet" onClick={onRefresh} size="small">
        <RefreshIcon className="size-4" />
        {texts.refresh}
      </Button>
    </div>
  );
}
