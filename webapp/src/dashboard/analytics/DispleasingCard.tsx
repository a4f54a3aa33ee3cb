import type { Schemas } from "../../api/client";
import { analyticsTexts } from "../../content/dashboardCharts";
import { topicName } from "../../content/dashboardFilters";
import { LinkButton } from "../../ui/Button";
import { DrillDown } from "../shared/DrillDown";
import { useReport } from "../shared/reports";
import type { Dashboard } from "../shared/state/useDashboard";
import { ReportCard } from "./ReportCard";
import { TeachLink } from "./TeachLink";

const texts = analyticsTexts.displeasing;

interface DispleasingCardProps {
  readonly dashboard: Dashboard;
  readonly onConversation: (id: string) => void;
}

/** What was answered so that visitors rated it negative, so that the clinic can answer better. */
export function DispleasingCard({ dashboard, onConversation }: DispleasingCardProps) {
  const query = useReport("displeasing", dashboard.cohort);
  return (
    <ReportCard explained="displeasing" placeholder="h-60" query={query} title={texts.title}>
      {({ groups }) =>
        groups.length === 0 ? (
          <p className="text-ink-500">{texts.none}</p>
        ) : (
          <div
            className="max-h-[26rem] divide-y divide-sand-200 overflow-y-auto border-sand-200 border-t print:max-h-none"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
            tabIndex={0}
          >
            {groups.map((group) => (
              <Group
                group={group}
                key={group.topic}
                onConversation={onConversation}
                onOpen={() => dashboard.drillDown({ rated: "negative", ratedTopic: group.topic })}
              />
            ))}
          </div>
        )
      }
    </ReportCard>
  );
}

interface GroupProps {
  readonly group: Schemas["DispleasingGroup"];
  readonly onOpen: () => void;
  readonly onConversation: (id: string) => void;
}

function Group({ group: { topic, replies, questions }, onOpen, onConversation }: GroupProps) {
  return (
    <section className="py-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3 gap-y-1">
        <h3 className="font-semibold text-ink-900">{topicName(topic)}</h3>
        <p className="text-ink-500 text-sm">
          <DrillDown
            label={analyticsTexts.open(replies, `${topicName(topic)}, ${texts.title}`)}
            onOpen={onOpen}
          >
            {texts.group(replies)}
          </DrillDown>
        </p>
        <TeachLink questions={questions.map(({ text }) => text)} topic={topic} />
      </div>
      <ul className="mt-1 grid gap-1.5">
        {questions.map(({ text, reply, answer, count, conversationId }) => (
          <li className="[overflow-wrap:anywhere]" key={`${conversationId} ${text}`}>
            <button
              className="rounded-sm py-0.5 text-left text-[0.9375rem] text-ink-700 hover:underline"
              onClick={() => onConversation(conversationId)}
              title={analyticsTexts.unanswered.openQuestion(text)}
              type="button"
            >
              «{text}»
            </button>
            {count > 1 && (
              <span className="ml-2 text-ink-500 text-sm tabular-nums">
                {analyticsTexts.unanswered.times(count)}
              </span>
            )}
            <p className="line-clamp-2 text-ink-500 text-sm">
              {texts.answered} {reply}
            </p>
            {answer && (
              <LinkButton
                className="no-print -ml-3"
                href={`/dashboard/respuestas/nueva?respuesta=${encodeURIComponent(answer)}`}
                label={texts.changeTo(text)}
                size="small"
                state={{ questions: [text] }}
                variant="quiet"
              >
                {texts.change}
              </LinkButton>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
