import type { Schemas } from "../../api/client";
import { analyticsTexts } from "../../content/dashboardCharts";
import { topicName } from "../../content/dashboardFilters";
import { formatDay } from "../../content/dates";
import { dayOf } from "../../content/zone";
import { DrillDown } from "../shared/DrillDown";
import { useReport } from "../shared/reports";
import type { Dashboard } from "../shared/state/useDashboard";
import { ReportCard } from "./ReportCard";
import { TeachLink } from "./TeachLink";

const texts = analyticsTexts.unanswered;

interface UnansweredCardProps {
  readonly dashboard: Dashboard;
  readonly onConversation: (id: string) => void;
}

/** What the assistant could not answer, so that the clinic knows what to publish. */
export function UnansweredCard({ dashboard, onConversation }: UnansweredCardProps) {
  const query = useReport("unanswered", dashboard.cohort);
  return (
    <ReportCard explained="unanswered" placeholder="h-96" query={query} title={texts.title}>
      {({ groups, replies, conversations }) =>
        groups.length === 0 ? (
          <p className="text-ink-500">{texts.none}</p>
        ) : (
          <>
            <p className="text-ink-500 text-sm">{texts.note(replies, conversations)}</p>
            <div
              className="mt-3 max-h-[26rem] divide-y divide-sand-200 overflow-y-auto border-sand-200 border-t print:max-h-none"
              // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
              tabIndex={0}
            >
              {groups.map((group) => (
                <Group
                  group={group}
                  key={group.topic}
                  onConversation={onConversation}
                  onOpen={() => dashboard.drillDown({ unansweredTopic: group.topic })}
                />
              ))}
            </div>
          </>
        )
      }
    </ReportCard>
  );
}

interface GroupProps {
  readonly group: Schemas["UnansweredGroup"];
  readonly onOpen: () => void;
  readonly onConversation: (id: string) => void;
}

function Group({ group, onOpen, onConversation }: GroupProps) {
  const { topic, conversations, questions, lastAskedAt } = group;
  return (
    <section className="py-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3 gap-y-1">
        <h3 className="font-semibold text-ink-900">{topicName(topic)}</h3>
        <p className="text-ink-500 text-sm">
          <DrillDown
            label={analyticsTexts.open(conversations, `${topicName(topic)}, ${texts.title}`)}
            onOpen={onOpen}
          >
            {texts.group(conversations)}
          </DrillDown>
          {" · "}
          {texts.last(formatDay(dayOf(new Date(lastAskedAt))))}
        </p>
        <TeachLink questions={questions.map(({ text }) => text)} topic={topic} />
      </div>
      {questions.length === 0 && <p className="mt-1 text-ink-500 text-sm">{texts.noTexts}</p>}
      <ul className="mt-1 grid gap-0.5">
        {questions.map(({ text, count, conversationId }) => (
          <li
            className="flex items-baseline justify-between gap-3"
            key={`${conversationId} ${text}`}
          >
            <button
              className="min-w-0 rounded-sm py-0.5 text-left text-[0.9375rem] text-ink-700 [overflow-wrap:anywhere] hover:underline"
              onClick={() => onConversation(conversationId)}
              title={texts.openQuestion(text)}
              type="button"
            >
              «{text}»
            </button>
            {count > 1 && (
              <span className="whitespace-nowrap text-ink-500 text-sm tabular-nums">
                {texts.times(count)}
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
