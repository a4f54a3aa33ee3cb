import { answersTexts } from "../../content/dashboardAnswers";
import type { TaughtAnswer } from "./queries";

const texts = answersTexts.list;

/** Every version of an answer: who, when and why. */
export function Versions({ versions }: Pick<TaughtAnswer, "versions">) {
  return (
    <details className="mt-1">
      <summary className="w-fit cursor-pointer py-1 font-medium text-sm text-teal-700">
        {texts.versions(versions.length)}
      </summary>
      <ol className="mt-1 space-y-3 border-sand-200 border-l-2 pl-4">
        {versions.map(({ version, by, at, reason, text, questions, undone }) => (
          <li key={version}>
            <p className="text-ink-900 text-sm">
              <span className="font-medium">{texts.version(version)}</span> · {texts.by(by, at)} ·{" "}
              {reason}
            </p>
            {undone && (
              <p className="text-ink-600 text-sm">
                {texts.undoneBy(undone.by, undone.at, undone.reason)}
              </p>
            )}
            <p className="text-[0.9375rem] text-ink-700">{text}</p>
            <p className="text-ink-500 text-sm">{questions.join(" · ")}</p>
          </li>
        ))}
      </ol>
    </details>
  );
}
