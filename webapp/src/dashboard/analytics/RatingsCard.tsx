import type { Schemas } from "../../api/client";
import { analyticsTexts } from "../../content/dashboardCharts";
import { topicName } from "../../content/dashboardFilters";
import { formatCount, formatPercent } from "../../content/numbers";
import { DrillDown } from "../shared/DrillDown";
import type { Filters } from "../shared/state/filters";
import type { Dashboard } from "../shared/state/useDashboard";
import { Facts } from "./Facts";
import { NumbersTable } from "./NumbersTable";
import { useReport } from "./queries";
import { ReportCard } from "./ReportCard";

const texts = analyticsTexts.ratings;

/** The topics that are shown, the worst first. */
const shownTopics = 5;

/** What visitors think of the replies, and on which topics least. */
export function RatingsCard({ dashboard }: { readonly dashboard: Dashboard }) {
  const query = useReport("ratings", dashboard.cohort);
  return (
    <ReportCard
      className="lg:col-span-2"
      explained="ratings"
      placeholder="h-60"
      query={query}
      title={texts.title}
    >
      {({ all, topics }) =>
        all.approval === null ? (
          <p className="text-ink-500">{texts.empty}</p>
        ) : (
          <div className="grid gap-x-10 gap-y-3 lg:grid-cols-2 lg:items-start">
            <Totals all={all} approval={all.approval} onOpen={dashboard.drillDown} />
            <Topics
              onOpen={dashboard.drillDown}
              topics={topics.filter(({ negative }) => negative > 0).slice(0, shownTopics)}
            />
          </div>
        )
      }
    </ReportCard>
  );
}

interface TotalsProps {
  readonly all: Schemas["RatingRow"];
  readonly approval: number;
  readonly onOpen: (filters: Filters) => void;
}

function Totals({ all, approval, onOpen }: TotalsProps) {
  const counted = (rated: "positive" | "negative", conversations: number) =>
    [
      texts[rated],
      <DrillDown
        key={rated}
        label={analyticsTexts.open(conversations, texts[rated])}
        onOpen={() => onOpen({ rated })}
      >
        {formatCount(all[rated])}
      </DrillDown>,
    ] as const;
  return (
    <Facts
      facts={[
        [
          texts.approval,
          <span className="text-lg" key="approval">
            {formatPercent(approval)}
          </span>,
        ],
        counted("positive", all.pleased),
        counted("negative", all.displeased),
      ]}
    />
  );
}

interface TopicsProps {
  readonly topics: readonly Schemas["RatingRow"][];
  readonly onOpen: (filters: Filters) => void;
}

function Topics({ topics, onOpen }: TopicsProps) {
  if (topics.length === 0) return null;
  return (
    <NumbersTable
      caption={
        <caption className="pb-1 text-left text-ink-500 text-sm max-lg:pt-3">{texts.worst}</caption>
      }
      className="border-sand-200 max-lg:border-t"
      columns={[
        [texts.count, ({ positive, negative }) => formatCount(positive + negative), "wide"],
        [
          texts.negatives,
          ({ topic, negative, displeased }) => (
            <DrillDown
              label={analyticsTexts.open(displeased, `${texts.negatives}, ${topicName(topic)}`)}
              onOpen={() => onOpen({ rated: "negative", ratedTopic: topic })}
            >
              {formatCount(negative)}
            </DrillDown>
          ),
        ],
        [texts.approval, ({ approval }) => formatPercent(approval ?? 0)],
      ]}
      first={texts.topic}
      name={({ topic }) => topicName(topic)}
      rowKey={({ topic }) => topic}
      rows={topics}
    />
  );
}
