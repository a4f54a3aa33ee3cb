import type { Schemas } from "../../api/client";
import { analyticsTexts } from "../../content/dashboardCharts";
import { topicName } from "../../content/dashboardFilters";
import { formatCount, formatPercent } from "../../content/numbers";
import { DrillDown } from "../shared/DrillDown";
import type { Filters } from "../shared/state/filters";
import type { Dashboard } from "../shared/state/useDashboard";
import { useReport } from "./queries";
import { ReportCard } from "./ReportCard";
import { TableHead } from "./TableHead";

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
            <Facts all={all} approval={all.approval} onOpen={dashboard.drillDown} />
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

interface FactsProps {
  readonly all: Schemas["RatingRow"];
  readonly approval: number;
  readonly onOpen: (filters: Filters) => void;
}

function Facts({ all, approval, onOpen }: FactsProps) {
  const counts = [
    ["positive", all.positive, all.pleased],
    ["negative", all.negative, all.displeased],
  ] as const;
  return (
    <dl className="divide-y divide-sand-200">
      <div className="flex items-baseline justify-between gap-4 py-2">
        <dt className="text-[0.9375rem] text-ink-600">{texts.approval}</dt>
        <dd className="font-semibold text-ink-900 text-lg tabular-nums">
          {formatPercent(approval)}
        </dd>
      </div>
      {counts.map(([rated, replies, conversations]) => (
        <div className="flex items-baseline justify-between gap-4 py-2" key={rated}>
          <dt className="text-[0.9375rem] text-ink-600">{texts[rated]}</dt>
          <dd className="font-semibold text-ink-900 tabular-nums">
            <DrillDown
              label={analyticsTexts.open(conversations, texts[rated])}
              onOpen={() => onOpen({ rated })}
            >
              {formatCount(replies)}
            </DrillDown>
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface TopicsProps {
  readonly topics: readonly Schemas["RatingRow"][];
  readonly onOpen: (filters: Filters) => void;
}

function Topics({ topics, onOpen }: TopicsProps) {
  if (topics.length === 0) return null;
  return (
    <table className="w-full border-sand-200 text-[0.9375rem] tabular-nums max-lg:border-t">
      <caption className="pb-1 text-left text-ink-500 text-sm max-lg:pt-3">{texts.worst}</caption>
      <TableHead
        cell={cell}
        columns={[[texts.count, "wide"], [texts.negatives], [texts.approval]]}
        first={texts.topic}
      />
      <tbody className="divide-y divide-sand-200 border-sand-200 border-t">
        {topics.map(({ topic, positive, negative, approval, displeased }) => (
          <tr key={topic}>
            <th className="py-1.5 text-left font-medium text-ink-900" scope="row">
              {topicName(topic)}
            </th>
            <td className={`${cell} max-sm:hidden`}>{formatCount(positive + negative)}</td>
            <td className={cell}>
              <DrillDown
                label={analyticsTexts.open(displeased, `${texts.negatives}, ${topicName(topic)}`)}
                onOpen={() => onOpen({ rated: "negative", ratedTopic: topic })}
              >
                {formatCount(negative)}
              </DrillDown>
            </td>
            <td className={cell}>{formatPercent(approval ?? 0)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const cell = "whitespace-nowrap py-1.5 pl-3 text-right";
