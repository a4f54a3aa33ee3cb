import { useId, useState } from "react";
import { referenceOf } from "../../api/problem";
import { labelTexts as texts } from "../../content/dashboardLabels";
import { ButtonLink } from "../../ui/Button";
import { Card } from "../../ui/Card";
import { classes } from "../../ui/classes";
import { ErrorAlert } from "../../ui/ErrorAlert";
import { EmptyState } from "../shared/EmptyState";
import { DownloadIcon, QuestionIcon } from "../shared/icons";
import { More } from "../shared/More";
import { Placeholders } from "../shared/Placeholders";
import type { Dashboard } from "../shared/state/useDashboard";
import { LabelFilterBar } from "./LabelFilterBar";
import { choicesByText } from "./labels";
import { QuestionItem } from "./QuestionItem";
import { type LabelFilters, useLabelChoices, useQuestions } from "./queries";

interface LabellingProps {
  readonly dashboard: Dashboard;
  readonly onConversation: (id: string) => void;
}

/** What the assistant was not sure of, for the staff to say what it means. */
export default function Labelling({ dashboard, onConversation }: LabellingProps) {
  const [filters, setFilters] = useState<LabelFilters>({ state: "open", below: undefined });
  const query = useQuestions(dashboard.cohort, filters);
  const { labelled = 0, total = 0 } = query.data?.pages[0] ?? {};
  return (
    <Card>
      <div className="flex flex-wrap items-center justify-between gap-3 px-5 pt-5 pb-3 sm:px-6">
        <h2 className="font-semibold text-ink-900 text-lg">{texts.title}</h2>
        <ButtonLink
          className="no-print"
          download
          href="/api/dashboard/labels/export"
          size="small"
          variant="secondary"
        >
          <DownloadIcon className="size-4 text-ink-500" />
          {texts.export}
        </ButtonLink>
      </div>
      <p className="max-w-3xl px-5 pb-4 text-ink-600 text-sm sm:px-6">{texts.note}</p>
      <LabelFilterBar filters={filters} onFilter={setFilters} />
      {total > 0 && <Progress labelled={labelled} total={total} />}
      <Questions onConversation={onConversation} query={query} />
    </Card>
  );
}

function Progress({ labelled, total }: { readonly labelled: number; readonly total: number }) {
  const id = useId();
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-5 pb-4 sm:px-6">
      <label aria-live="polite" className="text-ink-600 text-sm tabular-nums" htmlFor={id}>
        {texts.progress(labelled, total)}
      </label>
      <progress
        className="h-2 w-40 appearance-none overflow-hidden rounded-full bg-sand-200 [&::-moz-progress-bar]:bg-teal-700 [&::-webkit-progress-bar]:bg-sand-200 [&::-webkit-progress-value]:bg-teal-700"
        id={id}
        max={total}
        value={labelled}
      />
    </div>
  );
}

interface QuestionsProps {
  readonly query: ReturnType<typeof useQuestions>;
  readonly onConversation: (id: string) => void;
}

function Questions({ query, onConversation }: QuestionsProps) {
  const { data, isPending, isPlaceholderData, isError, refetch } = query;
  const choices = useLabelChoices();
  const named = choicesByText(choices.data);
  const list = useId();
  const questions = data?.pages.flatMap((page) => page.questions) ?? [];
  return (
    <>
      {isError && !query.isFetchNextPageError && (
        <div className="px-5 pb-5 sm:px-6">
          <ErrorAlert
            message={data ? texts.outdated : texts.failure}
            onRetry={() => refetch()}
            reference={referenceOf(query.error)}
          />
        </div>
      )}
      {choices.isError && (
        <div className="px-5 pb-5 sm:px-6">
          <ErrorAlert
            message={texts.choicesFailure}
            onRetry={() => choices.refetch()}
            reference={referenceOf(choices.error)}
          />
        </div>
      )}
      {isPending && (
        <div className="px-5 pb-5 sm:px-6">
          <Placeholders label={texts.loading} />
        </div>
      )}
      {data && questions.length === 0 && (
        <EmptyState hint={texts.emptyHint} icon={QuestionIcon} title={texts.empty} />
      )}
      <datalist id={list}>
        {[...named.keys()].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {questions.length > 0 && (
        <>
          <ul
            aria-busy={isPlaceholderData}
            className={classes(
              "divide-y divide-sand-200 border-sand-200 border-y transition-opacity",
              isPlaceholderData && "opacity-50",
            )}
          >
            {questions.map((question) => (
              <QuestionItem
                choices={named}
                choicesList={list}
                key={`${question.conversationId}/${question.ordinal}`}
                onConversation={onConversation}
                question={question}
              />
            ))}
          </ul>
          <More query={query} shown={texts.shown(questions.length)} texts={texts} />
        </>
      )}
    </>
  );
}
