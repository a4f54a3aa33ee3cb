import type { Schemas } from "../../api/client";
import { analyticsTexts } from "../../content/dashboardCharts";
import { formatCost, formatCount, formatPercent } from "../../content/numbers";
import { DrillDown } from "../shared/DrillDown";
import type { Filters } from "../shared/state/filters";
import type { Dashboard } from "../shared/state/useDashboard";
import { Facts } from "./Facts";
import { NumbersTable } from "./NumbersTable";
import { useReport } from "./queries";
import { ReportCard } from "./ReportCard";

const texts = analyticsTexts.quality;

/** How fast and how reliably the assistant replies, and with which models. */
export function QualityCard({ dashboard }: { readonly dashboard: Dashboard }) {
  const query = useReport("quality", dashboard.cohort);
  return (
    <ReportCard explained="quality" placeholder="h-96" query={query} title={texts.title}>
      {(quality) => (
        <>
          <Replies dashboard={dashboard} quality={quality} />
          {quality.models.length > 0 && (
            <Models models={quality.models} onOpen={(model) => dashboard.drillDown({ model })} />
          )}
        </>
      )}
    </ReportCard>
  );
}

interface RepliesProps {
  readonly quality: Schemas["Quality"];
  readonly dashboard: Dashboard;
}

function Replies({ quality, dashboard }: RepliesProps) {
  const { latency, failures, failureRate, unanswered, unansweredRate } = quality;
  const counted = (
    name: "failures" | "unanswered",
    conversations: number,
    filters: Filters,
    shown: string,
  ) =>
    [
      texts[name],
      <DrillDown
        key={name}
        label={analyticsTexts.open(conversations, texts[name])}
        onOpen={() => dashboard.drillDown(filters)}
      >
        {shown}
      </DrillDown>,
    ] as const;
  const withRate = (count: number, rate: number | null) =>
    rate === null ? formatCount(count) : texts.withRate(count, formatPercent(rate));
  return (
    <Facts
      facts={[
        [texts.replies, formatCount(quality.replies)],
        [texts.p50, texts.seconds(latency.p50)],
        [texts.p90, texts.seconds(latency.p90)],
        [texts.p99, texts.seconds(latency.p99)],
        counted(
          "failures",
          quality.failedConversations,
          { failed: true },
          withRate(failures, failureRate),
        ),
        counted(
          "unanswered",
          quality.unansweredConversations,
          { unanswered: true },
          withRate(unanswered, unansweredRate),
        ),
        [texts.tokens, `${formatCount(quality.tokensIn)} / ${formatCount(quality.tokensOut)}`],
        ...providerFacts(quality.provider),
      ]}
    />
  );
}

/** What the assistant's provider was used for today, where there is one. */
function providerFacts(usage: Schemas["ProviderUsage"] | undefined) {
  if (usage === undefined) {
    return [];
  }
  const { provider, tokens, tokensLimit, cost, costLimit } = usage;
  const facts: [string, string][] = [
    [texts.providerTokens(provider), ofLimit(tokens, tokensLimit, formatCount)],
  ];
  if (cost !== undefined) {
    facts.push([texts.providerCost(provider), ofLimit(cost, costLimit, formatCost)]);
  }
  return facts;
}

function ofLimit(used: number, limit: number | undefined, format: (value: number) => string) {
  return limit === undefined ? format(used) : texts.ofLimit(format(used), format(limit));
}

interface ModelsProps {
  readonly models: readonly Schemas["ModelRow"][];
  readonly onOpen: (model: string) => void;
}

function Models({ models, onOpen }: ModelsProps) {
  return (
    <NumbersTable
      caption={<caption className="sr-only">{texts.models}</caption>}
      className="mt-3 border-sand-200 border-t"
      columns={[
        [texts.share, ({ share }) => formatPercent(share)],
        ["p50", ({ latency }) => texts.seconds(latency.p50)],
        ["p99", ({ latency }) => texts.seconds(latency.p99)],
      ]}
      first={texts.model}
      name={({ model, conversations }) => {
        const name = model === "-" ? texts.unknownModel : model;
        return (
          <DrillDown
            className="[overflow-wrap:anywhere]"
            label={analyticsTexts.open(conversations, name)}
            onOpen={() => onOpen(model)}
          >
            {name}
          </DrillDown>
        );
      }}
      rowKey={({ provider, model }) => `${provider} ${model}`}
      rows={models}
    />
  );
}
