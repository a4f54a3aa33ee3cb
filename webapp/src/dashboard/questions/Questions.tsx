import { useId, useState } from "react";
import { questionTexts as texts } from "../../content/dashboardQuestions";
import { Card } from "../../ui/Card";
import { classes } from "../../ui/classes";
import { EmptyState } from "../shared/EmptyState";
import { QuestionIcon } from "../shared/icons";
import { More } from "../shared/More";
import { Placeholders } from "../shared/Placeholders";
import { QueryFailure } from "../shared/QueryState";
import { Select } from "../shared/Select";
import { Switch } from "../shared/Switch";
import type { Dashboard } from "../shared/state/useDashboard";
import { QuestionItem } from "./QuestionItem";
import { type Question, type QuestionFilters, useQuestions } from "./queries";

interface QuestionsProps {
  readonly dashboard: Dashboard;
  /** Opens one of the conversations of the listed questions. */
  readonly onConversation: (id: string, listed: readonly string[]) => void;
}

/** What is to be answered better: an answer is taught, or the question dismissed. */
export default function Questions({ dashboard, onConversation }: QuestionsProps) {
  const [filters, setFilters] = useState<QuestionFilters>({ reason: undefined, state: "open" });
  const query = useQuestions(dashboard.cohort, filters);
  return (
    <Card>
      <h2 className="px-5 pt-5 pb-3 font-semibold text-ink-900 text-lg sm:px-6">{texts.title}</h2>
      <p className="max-w-3xl px-5 pb-4 text-ink-600 text-sm sm:px-6">{texts.note}</p>
      <QuestionFilterBar filters={filters} onFilter={setFilters} />
      <List onConversation={onConversation} query={query} />
    </Card>
  );
}

interface QuestionFilterBarProps {
  readonly filters: QuestionFilters;
  readonly onFilter: (filters: QuestionFilters) => void;
}

const reasons = ["unanswered", "negative", "unsure"] as const;
const states = ["open", "settled", "all"] as const;

function QuestionFilterBar({ filters, onFilter }: QuestionFilterBarProps) {
  return (
    <search className="no-print flex flex-wrap items-center gap-2 px-5 pb-4 sm:px-6">
      <fieldset aria-label={texts.reason} className="contents">
        {reasons.map((reason) => (
          <Switch
            key={reason}
            label={texts.reasons[reason]}
            on={filters.reason === reason}
            onToggle={() =>
              onFilter({ ...filters, reason: filters.reason === reason ? undefined : reason })
            }
          />
        ))}
      </fieldset>
      <Select
        aria-label={texts.state}
        onSelect={(state) => onFilter({ ...filters, state: state === "all" ? undefined : state })}
        options={states.map((state) => [state, texts.states[state]])}
        value={filters.state ?? "all"}
      />
    </search>
  );
}

type Alike = readonly [Question, ...Question[]];

/** Questions of one meaning stand together; each of the others is alone. */
function alike(questions: readonly Question[]): Alike[] {
  const groups: [Question, ...Question[]][] = [];
  for (const question of questions) {
    const last = groups.at(-1);
    if (question.group && last?.[0].group?.answer === question.group.answer) last.push(question);
    else groups.push([question]);
  }
  return groups;
}

const keyOf = ({ conversationId, ordinal }: Question) => `${conversationId}/${ordinal}`;

interface GroupProps {
  readonly onConversation: (id: string) => void;
  readonly questions: Alike;
}

/** The questions of one meaning, under that which was asked most often. */
function Group({ questions, onConversation }: GroupProps) {
  const title = useId();
  const [first] = questions;
  if (!first.group) return <QuestionItem onConversation={onConversation} question={first} />;
  const { group } = first;
  return (
    <li aria-labelledby={title} className="bg-sand-50 px-3 pt-4 pb-3 sm:px-4">
      <h3 className="px-2 pb-3" id={title}>
        <span className="block font-semibold text-ink-900 [overflow-wrap:anywhere]" dir="auto">
          «{first.text}»
        </span>
        <span className="block font-normal text-ink-600 text-sm tabular-nums">
          {texts.group(group.questions, group.count)}
        </span>
      </h3>
      <ul className="divide-y divide-sand-200 rounded-xl border border-sand-200 bg-white">
        {questions.map((question) => (
          <QuestionItem key={keyOf(question)} onConversation={onConversation} question={question} />
        ))}
      </ul>
    </li>
  );
}

interface ListProps extends Pick<QuestionsProps, "onConversation"> {
  readonly query: ReturnType<typeof useQuestions>;
}

function List({ query, onConversation }: ListProps) {
  const { data, isPending, isPlaceholderData } = query;
  const questions = data?.pages.flatMap((page) => page.questions) ?? [];
  const conversations = questions.map(({ conversationId }) => conversationId);
  return (
    <>
      {!query.isFetchNextPageError && (
        <QueryFailure
          className="px-5 pb-5 sm:px-6"
          message={data ? texts.outdated : texts.failure}
          query={query}
        />
      )}
      {isPending && (
        <div className="px-5 pb-5 sm:px-6">
          <Placeholders label={texts.loading} />
        </div>
      )}
      {data && questions.length === 0 && (
        <EmptyState hint={texts.emptyHint} icon={QuestionIcon} title={texts.empty} />
      )}
      {questions.length > 0 && (
        <>
          <ul
            aria-busy={isPlaceholderData}
            className={classes(
              "divide-y divide-sand-200 border-sand-200 border-y transition-opacity",
              isPlaceholderData && "opacity-50",
            )}
          >
            {alike(questions).map((group) => (
              <Group
                key={keyOf(group[0])}
                onConversation={(id) => onConversation(id, conversations)}
                questions={group}
              />
            ))}
          </ul>
          <More
            query={query}
            shown={texts.shown(questions.length, data?.pages[0]?.total ?? 0)}
            texts={texts}
          />
        </>
      )}
    </>
  );
}
