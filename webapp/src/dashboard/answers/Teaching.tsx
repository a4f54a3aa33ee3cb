import { answersTexts } from "../../content/dashboardAnswers";
import { Card } from "../../ui/Card";
import { Placeholders } from "../shared/Placeholders";
import { QueryFailure } from "../shared/QueryState";
import { blankDraft, draftOf } from "./draft";
import { useAnswer, useAnswerForm } from "./queries";
import { TeachForm } from "./TeachForm";

const texts = answersTexts.form;

interface TeachingProps {
  /** The answer that is to be changed; undefined for a new one. */
  readonly slug: string | undefined;
  readonly topic: string;
  readonly questions: readonly string[];
}

/** The form of an answer, once it is known what there is to choose from. */
export function Teaching({ slug, topic, questions }: TeachingProps) {
  const form = useAnswerForm();
  const answer = useAnswer(slug);
  const failed = [form, answer].find(({ isError }) => isError);
  if (failed) return <QueryFailure message={texts.failure} query={failed} />;
  if (!form.data || (slug !== undefined && !answer.data)) {
    return (
      <Card className="p-5 sm:p-6">
        <Placeholders label={texts.loading} />
      </Card>
    );
  }
  const known = form.data.topics.includes(topic) ? topic : "";
  return (
    <TeachForm
      form={form.data}
      initial={answer.data ? draftOf(answer.data, questions) : blankDraft(known, questions)}
    />
  );
}
