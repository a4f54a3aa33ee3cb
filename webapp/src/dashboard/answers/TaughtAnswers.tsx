import { useState } from "react";
import { answersTexts } from "../../content/dashboardAnswers";
import { topicName } from "../../content/dashboardFilters";
import { teachingTexts } from "../../content/dashboardTeaching";
import { Badge } from "../../ui/Badge";
import { Button, LinkButton } from "../../ui/Button";
import { Card } from "../../ui/Card";
import { EmptyState } from "../shared/EmptyState";
import { MessagesIcon } from "../shared/icons";
import { QueryState } from "../shared/QueryState";
import { useTaughtAnswers } from "../shared/taught";
import type { TaughtAnswer } from "./queries";
import { UndoDialog } from "./UndoDialog";
import { Versions } from "./Versions";

const texts = answersTexts.list;

/** All answers that were taught, with what became of them. */
export function TaughtAnswers() {
  const query = useTaughtAnswers();
  const [undoing, setUndoing] = useState<TaughtAnswer>();
  const answers = query.data?.answers ?? [];
  return (
    <Card className="p-5 sm:p-6">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0 flex-1 basis-72">
          <h2 className="font-semibold text-ink-900 text-lg">{texts.title}</h2>
          <p className="mt-1 text-[0.9375rem] text-ink-600">{texts.hint}</p>
        </div>
        <LinkButton href="/dashboard/respuestas/nueva" variant="secondary">
          {teachingTexts.teach}
        </LinkButton>
      </div>
      <QueryState query={query} texts={texts} />
      {query.data && answers.length === 0 && (
        <div className="mt-4">
          <EmptyState hint={texts.emptyHint} icon={MessagesIcon} title={texts.empty} />
        </div>
      )}
      <ul className="mt-3 divide-y divide-sand-200">
        {answers.map((answer) => (
          <Answer answer={answer} key={answer.slug} onUndo={() => setUndoing(answer)} />
        ))}
      </ul>
      <UndoDialog answer={undoing} onClose={() => setUndoing(undefined)} />
    </Card>
  );
}

interface AnswerProps {
  readonly answer: TaughtAnswer;
  readonly onUndo: () => void;
}

function Answer({ answer, onUndo }: AnswerProps) {
  const { slug, version, replaced, uses, since, versions } = answer;
  const shown = versions.find((one) => one.version === version) ?? versions[0];
  if (!shown) return null;
  const state = replaced ? texts.state.replaced : texts.state.undone;
  return (
    <li className="py-4 [overflow-wrap:anywhere]">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="font-semibold text-ink-900">{slug}</h3>
        <Badge variant={version > 0 ? "lead" : "neutral"}>
          {version > 0 ? texts.state.current(version) : state}
        </Badge>
        <span className="text-ink-500 text-sm">{topicName(shown.topic)}</span>
      </div>
      <p className="mt-1 text-ink-700">{shown.text}</p>
      <p className="mt-1 text-ink-600 text-sm">
        {texts.uses(uses)} {texts.since(since)}
      </p>
      <Shares answer={answer} />
      <Versions versions={versions} />
      {version > 0 && (
        <div className="mt-2 flex flex-wrap gap-2">
          <LinkButton
            href={`/dashboard/respuestas/nueva?respuesta=${encodeURIComponent(slug)}`}
            label={texts.changeOf(slug)}
            size="small"
            variant="secondary"
          >
            {texts.change}
          </LinkButton>
          <Button aria-label={texts.undoOf(slug)} onClick={onUndo} size="small" variant="secondary">
            {texts.undo}
          </Button>
        </div>
      )}
    </li>
  );
}

/** How many replies knew no answer on each side of the teaching. */
function Shares({ answer: { before, after } }: { readonly answer: TaughtAnswer }) {
  const rateOf = ({ rate, unanswered, replies }: TaughtAnswer["before"]) =>
    rate === null ? texts.noReplies : texts.rate(rate, unanswered, replies);
  return (
    <div className="mt-1 text-ink-600 text-sm">
      <p>{texts.share}:</p>
      <dl className="flex flex-wrap gap-x-5">
        {(
          [
            [texts.before, before],
            [texts.after, after],
          ] as const
        ).map(([name, share]) => (
          <div className="flex gap-1.5" key={name}>
            <dt>{name}:</dt>
            <dd className="font-medium text-ink-900 tabular-nums">{rateOf(share)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
