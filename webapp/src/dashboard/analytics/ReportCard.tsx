import type { ReactNode } from "react";
import { analyticsTexts, type Explained } from "../../content/dashboardCharts";
import { Card } from "../../ui/Card";
import { classes } from "../../ui/classes";
import { Skeleton } from "../../ui/Skeleton";
import { Explanation } from "../shared/Explanation";
import type { Lasting } from "../shared/lasting";
import { QueryFailure } from "../shared/QueryState";

interface ReportCardProps<Report> {
  readonly title: string;
  readonly explained: Explained;
  readonly query: Lasting<Report>;
  /** The height of what is to come. */
  readonly placeholder: string;
  readonly className?: string;
  readonly children: (report: Report) => ReactNode;
}

/** A card with an answer of its own: it waits, fails and is tried again on its own. */
export function ReportCard<Report>(props: ReportCardProps<Report>) {
  const { title, explained, query, placeholder, className, children } = props;
  const { data, isPending, isPlaceholderData } = query;
  return (
    <Card className={classes("keep-together min-w-0 p-5 sm:p-6", className)}>
      <section aria-busy={isPending || isPlaceholderData} aria-label={title}>
        <div className="flex items-start justify-between gap-3">
          <h2 className="font-semibold text-ink-900 text-lg">{title}</h2>
          <Explanation className="-mr-1" of={explained} />
        </div>
        <QueryFailure
          className="mt-3"
          message={query.outdated ? analyticsTexts.outdated : analyticsTexts.failure}
          query={query}
        />
        {isPending && (
          <div className="mt-3" role="status">
            <span className="sr-only">{analyticsTexts.loading(title)}</span>
            <Skeleton className={classes("w-full rounded-xl", placeholder)} />
          </div>
        )}
        {data && (
          <div className={classes("mt-3 transition-opacity", isPlaceholderData && "opacity-50")}>
            {children(data)}
          </div>
        )}
      </section>
    </Card>
  );
}
