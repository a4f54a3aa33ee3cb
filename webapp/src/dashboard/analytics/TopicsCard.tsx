import { useState } from "react";
import type { Schemas } from "../../api/client";
import { analyticsTexts } from "../../content/dashboardCharts";
import { topicName } from "../../content/dashboardFilters";
import { formatCount, formatPercent } from "../../content/numbers";
import { Button } from "../../ui/Button";
import { DrillDown } from "../shared/DrillDown";
import type { Filters } from "../shared/state/filters";
import type { Dashboard } from "../shared/state/useDashboard";
import { useReport } from "./queries";
import { ReportCard } from "./ReportCard";
import { TableHead } from "./TableHead";

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
  return (
    <>
      <table className="mt-2 w-full text-[0.9375rem] tabular-nums">
        <TableHead
          cell={cell}
          columns={[
            [texts.conversations, "wide"],
            [texts.leadRate],
            [texts.appointmentRate],
            [texts.unanswered, "wide"],
          ]}
          first={texts.topic}
        />
        <tbody className="divide-y divide-sand-200 border-sand-200 border-t">
          {topics.slice(0, all ? undefined : shownAtFirst).map((row) => (
            <TopicRow key={row.topic} onOpen={onOpen} row={row} />
          ))}
        </tbody>
      </table>
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

const cell = "py-1.5 pl-3 text-right";

interface TopicRowProps {
  readonly row: Row;
  readonly onOpen: (filters: Filters) => void;
}

function TopicRow({ row, onOpen }: TopicRowProps) {
  const { topic, conversations, share, leads, leadRate, appointments, appointmentRate } = row;
  const name = topicName(topic);
  const number = (count: number, what: string, shown: string, filters: Filters) => (
    <DrillDown
      label={analyticsTexts.open(count, `${name}, ${what}`)}
      onOpen={() => onOpen({ ...filters, topic })}
    >
      {shown}
    </DrillDown>
  );
  return (
    <tr>
      <th className="py-1.5 text-left font-medium text-ink-900" scope="row">
        {name}
        <span className="ml-1.5 font-normal text-ink-500 text-sm sm:hidden">
          {number(conversations, texts.conversations, formatCount(conversations), {})}
        </span>
        <span className="mt-1 block h-1 rounded-full bg-sand-100">
          <span
            className="block h-full rounded-full bg-(--metric-conversations)"
            style={{ width: `${share}%` }}
          />
        </span>
      </th>
      <td className={`${cell} max-sm:hidden`}>
        {number(conversations, texts.conversations, formatCount(conversations), {})}
      </td>
      <td className={cell}>
        {number(leads, texts.leadRate, formatPercent(leadRate), { lead: true })}
      </td>
      <td className={cell}>
        {number(appointments, texts.appointmentRate, formatPercent(appointmentRate), {
          appointment: true,
        })}
      </td>
      <td className={`${cell} max-sm:hidden`}>
        {number(row.unanswered, texts.unanswered, formatCount(row.unanswered), {
          unanswered: true,
        })}
      </td>
    </tr>
  );
}
