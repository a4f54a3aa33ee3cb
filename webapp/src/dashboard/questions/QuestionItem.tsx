import { topicName } from "../../content/dashboardFilters";
import { questionTexts as texts } from "../../content/dashboardQuestions";
import { teachingTexts } from "../../content/dashboardTeaching";
import { formatMoment } from "../../content/dates";
import { Badge } from "../../ui/Badge";
import { Button, LinkButton } from "../../ui/Button";
import { FormFailure } from "../shared/FormFailure";
import { type Question, useDismiss } from "./queries";

interface QuestionItemProps {
  readonly question: Question;
  readonly onConversation: (id: string) => void;
}

/** One question: why it is listed, what was asked and answered, and what can be done about it. */
export function QuestionItem({ question, onConversation }: QuestionItemProps) {
  const { text, reply, conversationId } = question;
  const { mutate, isPending, error } = useDismiss(question);
  return (
    <li className="grid gap-2 px-5 py-4 sm:px-6">
      <Reasons question={question} />
      <div className="[overflow-wrap:anywhere]">
        <button
          className="rounded-sm py-0.5 text-left font-medium text-ink-900 hover:underline"
          onClick={() => onConversation(conversationId)}
          title={texts.openQuestion(text)}
          type="button"
        >
          «{text}»
        </button>
        <p className="line-clamp-3 text-ink-600 text-sm">
          <span className="font-medium text-ink-700">{texts.replied}</span> {reply}
        </p>
      </div>
      <Actions busy={isPending} onDismiss={() => mutate()} question={question} />
      <FormFailure error={error} otherwise={texts.dismissFailure} />
    </li>
  );
}

const variants = { unanswered: "warning", negative: "alarm", unsure: "neutral" } as const;
const reasons = ["unanswered", "negative", "unsure"] as const;

function Reasons({ question }: Pick<QuestionItemProps, "question">) {
  const { count, lastAskedAt, topic, settled } = question;
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-500 text-sm tabular-nums">
      {settled && <Badge variant="lead">{texts.settled[settled]}</Badge>}
      {reasons.map(
        (reason) =>
          question[reason] > 0 && (
            <Badge key={reason} variant={variants[reason]}>
              {texts.badges[reason](question[reason])}
            </Badge>
          ),
      )}
      <span>{texts.times(count)}</span>
      <time dateTime={lastAskedAt}>{texts.last(formatMoment(new Date(lastAskedAt)))}</time>
      <span>{topicName(topic)}</span>
    </p>
  );
}

interface ActionsProps extends Pick<QuestionItemProps, "question"> {
  readonly busy: boolean;
  readonly onDismiss: () => void;
}

/** The ways to a better answer; what was asked stands in no address. */
function Actions({ question, busy, onDismiss }: ActionsProps) {
  const { text, topic, answer, settled } = question;
  const teaching = "/dashboard/respuestas/nueva";
  return (
    <div className="no-print flex flex-wrap items-center gap-2">
      <LinkButton
        href={`${teaching}?tema=${encodeURIComponent(topic)}`}
        label={texts.teachTo(text)}
        size="small"
        state={{ questions: [text] }}
        variant="secondary"
      >
        {teachingTexts.teach}
      </LinkButton>
      {answer && (
        <LinkButton
          href={`${teaching}?respuesta=${encodeURIComponent(answer)}`}
          label={texts.changeTo(text)}
          size="small"
          state={{ questions: [text] }}
          variant="secondary"
        >
          {texts.change}
        </LinkButton>
      )}
      {!settled && (
        <Button
          aria-disabled={busy}
          aria-label={texts.dismissOf(text)}
          onClick={() => !busy && onDismiss()}
          size="small"
          variant="quiet"
        >
          {texts.dismiss}
        </Button>
      )}
    </div>
  );
}
