import type { Schemas } from "../../api/client";
import { answersTexts } from "../../content/dashboardAnswers";
import { Button } from "../../ui/Button";

const texts = answersTexts.form;

interface FactPickerProps {
  readonly facts: readonly Schemas["TextFact"][];
  readonly onPick: (name: string) => void;
}

/** The facts that an answer can name, with what stands in their place now. */
export function FactPicker({ facts, onPick }: FactPickerProps) {
  return (
    <details className="rounded-xl border border-sand-200 px-4 py-2">
      <summary className="cursor-pointer py-1 font-medium text-ink-700 text-sm">
        {texts.facts}
      </summary>
      <p className="text-ink-500 text-sm">{texts.factsHint}</p>
      <ul className="mt-2 max-h-80 divide-y divide-sand-200 overflow-y-auto">
        {facts.map(({ name, value }) => (
          <li className="flex flex-wrap items-center gap-x-3 py-1" key={name}>
            <Button
              aria-label={texts.insert(name, value)}
              className="font-mono"
              onClick={() => onPick(name)}
              size="small"
              variant="quiet"
            >
              {name}
            </Button>
            <span className="min-w-0 flex-1 basis-56 text-ink-600 text-sm [overflow-wrap:anywhere]">
              {value}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
