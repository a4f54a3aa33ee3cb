import type { ReactNode } from "react";
import type { Schemas } from "../../api/client";
import { analyticsTexts } from "../../content/dashboardCharts";
import { formatCost, formatCount, formatPercent } from "../../content/numbers";
import { DrillDown } from "../shared/DrillDown";
import type { Dashboard } from "../shared/state/useDashboard";
import { useReport } from "./queries";
import { ReportCard } from "./ReportCard";
import { TableHead } from "./TableHead";

const texts = analyticsTexts.quality;

/** How fast and how reliably the assistant replies, and with which models. */
export function QualityCard({ dashboard }: { readonly dashboard: Dashboard }) {
  const query = useReport("quality", dashboard.cohort);
  return (
    <ReportCard explained="quality" placeholder="h-96" query={query} title={texts.title}>
      {(quality) => (
        <>
          <Facts dashboard={dashboard} quality={quality} />
          {quality.models.length > 0 && (
            <Models models={quality.models} onOpen={(model) => dashboard.drillDown({ model })} />
          )}
        </>
      )}
    </ReportCard>
  );
}

interface FactsProps {
  readonly quality: Schemas["Quality"];
  readonly dashboard: Dashboard;
}

function Facts({ quality, dashboard }: FactsProps) {
  const { latency, failures, failureRate, unanswered, unansweredRate } = quality;
  const counted = (count: number, rate: number | null) =>
    rate === null ? formatCount(count) : texts.withRate(count, formatPercent(rate));
  const facts: readonly (readonly [label: string, value: ReactNode])[] = [
    [texts.replies, formatCount(quality.replies)],
    [texts.p50, texts.seconds(latency.p50)],
    [texts.p90, texts.seconds(latency.p90)],
    [texts.p99, texts.seconds(latency.p99)],
    [
      texts.failures,
      <DrillDown
        key="failures"
        label={analyticsTexts.open(quality.failedConversations, texts.failures)}
        onOpen={() => dashboard.drillDown({ failed: true })}
      >
        {counted(failures, failureRate)}
      </DrillDown>,
    ],
    [
      texts.unanswered,
      <DrillDown
        key="unanswered"
        label={analyticsTexts.open(quality.unansweredConversations, texts.unanswered)}
        onOpen={() => dashboard.drillDown({ unanswered: true })}
      >
        {counted(unanswered, unansweredRate)}
      </DrillDown>,
    ],
    [texts.tokens, `${formatCount(quality.tokensIn)} / ${formatCount(quality.tokensOut)}`],
    ...providerFacts(quality.provider),
  ];
  return (
    <dl className="divide-y divide-sand-200">
      {facts.map(([label, value]) => (
        <div className="flex items-baseline justify-between gap-4 py-2" key={label}>
          <dt className="text-[0.9375rem] text-ink-600">{label}</dt>
          <dd className="text-right font-semibold text-ink-900 tabular-nums [overflow-wrap:anywhere]">
            {value}
          </dd>
        </div>
      ))}
    </dl>
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
    <table className="mt-3 w-full border-sand-200 border-t text-[0.9375rem] tabular-nums">
      <caption className="sr-only">{texts.models}</caption>
      <TableHead cell={cell} columns={[[texts.share], ["p50"], ["p99"]]} first={texts.model} />
      <tbody className="divide-y divide-sand-200 border-sand-200 border-t">
        {models.map(({ provider, model, share, conversations, latency }) => {
          const name = model === "-" ? texts.unknownModel : model;
          return (
            <tr key={`${provider} ${model}`}>
              <th
                className="py-1.5 text-left font-medium text-ink-900 [overflow-wrap:anywhere]"
                scope="row"
              >
                <DrillDown
                  label={analyticsTexts.open(conversations, name)}
                  onOpen={() => onOpen(model)}
                >
                  {name}
                </DrillDown>
              </th>
              <td className={cell}>{formatPercent(share)}</td>
              <td className={cell}>{texts.seconds(latency.p50)}</td>
              <td className={cell}>{texts.seconds(latency.p99)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

const cell = "whitespace-nowrap py-1.5 pl-3 text-right";
