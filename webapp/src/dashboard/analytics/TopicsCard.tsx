import { useState } from "react";
import type { Schemas } from "../../api/client";
import { analyticsTexts } from "../../content/dashboardCharts";
import { topicName } from "../../content/dashboardFilters";
import { formatCount, formatPercent } from "../../content/numbers";
import { Button } from "../../ui/Button";
import { DrillDown } from "../shared/DrillDown";
import type { Filters } from "../shared/state/filters";
import type { Dashboard } from "../shared/state/useDashboard";
import { NumbersTable } from "./NumbersTable";
import { useReport } from "./queries";
import { ReportCard } from "./ReportCard";

const texts = analyticsTexts.topics;
const shownAtFirst = 8;

/** What people ask about, and how often a lead or an appointment comes of it. */
export function TopicsCard({ dashboard }: { readonly dashboard: Dashboard }) {
  const query = useReport("topics", dashboard.cohort);
  return (
    <ReportCard explained="topics" placeholder="h-96" query={query} title={texts.title}>
      {({ topics }) =>
        topics.length === 0 ? (
          <p className="text-ink-500">{analyticsTexts.empty}</p>
        ) : (
          <>
            <p className="text-ink-500 text-sm">{texts.note}</p>
            <Topics
              onOpen={dashboard.drillDown}
              topics={topics.filter(({ smallTalk }) => !smallTalk)}
            />
            <SmallTalk
              onOpen={dashboard.drillDown}
              topics={topics.filter(({ smallTalk }) => smallTalk)}
            />
          </>
        )
      }
    </ReportCard>
  );
}

type Row = Schemas["TopicRow"];

interface TopicsProps {
  readonly topics: readonly Row[];
  readonly onOpen: (filters: Filters) => void;
}

function Topics({ topics, onOpen }: TopicsProps) {
  const [all, setAll] = useState(false);
  const number = (row: Row, count: number, what: string, shown: string, filters: Filters) => (
    <DrillDown
      label={analyticsTexts.open(count, `${topicName(row.topic)}, ${what}`)}
      onOpen={() => onOpen({ ...filters, topic: row.topic })}
    >
      {shown}
    </DrillDown>
  );
  const conversations = (row: Row) =>
    number(row, row.conversations, texts.conversations, formatCount(row.conversations), {});
  const rate = (row: Row, count: number, what: string, share: number, filters: Filters) =>
    number(row, count, what, formatPercent(share), filters);
  return (
    <>
      <NumbersTable
        className="mt-2"
        columns={[
          [texts.conversations, conversations, "wide"],
          [
            texts.leadRate,
            (row) => rate(row, row.leads, texts.leadRate, row.leadRate, { lead: true }),
          ],
          [
            texts.appointmentRate,
            (row) =>
              rate(row, row.appointments, texts.appointmentRate, row.appointmentRate, {
                appointment: true,
              }),
          ],
          [
            texts.unanswered,
            (row) =>
              number(row, row.unanswered, texts.unanswered, formatCount(row.unanswered), {
                unanswered: true,
              }),
            "wide",
          ],
        ]}
        first={texts.topic}
        name={(row) => (
          <>
            {topicName(row.topic)}
            <span className="ml-1.5 font-normal text-ink-500 text-sm sm:hidden">
              {conversations(row)}
            </span>
            <span className="mt-1 block h-1 rounded-full bg-sand-100">
              <span
                className="block h-full rounded-full bg-(--metric-conversations)"
                style={{ width: `${row.share}%` }}
              />
            </span>
          </>
        )}
        rowKey={({ topic }) => topic}
        rows={topics.slice(0, all ? undefined : shownAtFirst)}
      />
      {topics.length > shownAtFirst && (
        <Button
          aria-expanded={all}
          className="no-print mt-2 -ml-3"
          variant="quiet"
          onClick={() => setAll(!all)}
          size="small"
        >
          {all ? texts.fewer : texts.all(topics.length)}
        </Button>
      )}
    </>
  );
}

/** Greetings and thanks, which nobody has to answer better. */
function SmallTalk({ topics, onOpen }: TopicsProps) {
  if (topics.length === 0) return null;
  return (
    <p className="mt-2 flex flex-wrap gap-x-3 gap-y-1 border-sand-200 border-t pt-2 text-ink-500 text-sm tabular-nums">
      {texts.smallTalk}
      {topics.map(({ topic, conversations }) => (
        <span key={topic}>
          {topicName(topic)}{" "}
          <DrillDown
            label={analyticsTexts.open(
              conversations,
              `${topicName(topic)}, ${texts.conversations}`,
            )}
            onOpen={() => onOpen({ topic })}
          >
            {formatCount(conversations)}
          </DrillDown>
        </span>
      ))}
    </p>
  );
}
