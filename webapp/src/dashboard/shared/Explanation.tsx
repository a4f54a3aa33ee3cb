import { createContext, useContext, useId, useState } from "react";
import type { Schemas } from "../../api/client";
import { clinic } from "../../content/clinic";
import { type Explained, explanations, explanationTexts } from "../../content/dashboardCharts";
import { formatMoment } from "../../content/dates";
import { Dialog, DialogClose } from "../../ui/Dialog";
import { QuestionIcon } from "./icons";
import { type DayRange, formatDays } from "./state/period";

const texts = explanationTexts;

/** What every explanation says about the numbers on screen. */
interface Shown {
  readonly days: DayRange;
  readonly kpis: Schemas["Kpis"] | undefined;
}

export const ShownContext = createContext<Shown | undefined>(undefined);

interface ExplanationProps {
  readonly of: Explained;
  readonly className?: string;
}

/** A button that tells how a number comes about. */
export function Explanation({ of, className = "" }: ExplanationProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        aria-label={texts.of(explanations[of].title)}
        className={`no-print grid size-7 shrink-0 place-items-center rounded-full text-ink-500 hover:bg-sand-100 hover:text-ink-900 ${className}`}
        onClick={() => setOpen(true)}
        title={texts.button}
        type="button"
      >
        <QuestionIcon className="size-4.5" />
      </button>
      <ExplanationDialog of={of} onClose={() => setOpen(false)} open={open} />
    </>
  );
}

interface ExplanationDialogProps {
  readonly of: Explained;
  readonly open: boolean;
  readonly onClose: () => void;
}

function ExplanationDialog({ of, open, onClose }: ExplanationDialogProps) {
  const title = useId();
  const shown = useContext(ShownContext);
  const through = shown?.kpis?.dataThrough;
  const facts = [
    [texts.formula, explanations[of].formula],
    ...(shown ? [[texts.period, `${formatDays(shown.days)}. ${texts.cohort}`]] : []),
    [texts.zone, texts.zoneValue(shown?.kpis?.formerZone ?? clinic.zone)],
    [
      texts.dataThrough,
      through?.time
        ? `${formatMoment(new Date(through.time))} · ${texts.position(through.position)}`
        : texts.unknown,
    ],
  ] as const;
  return (
    <Dialog className="max-w-lg" labelledBy={title} onClose={onClose} open={open}>
      <div className="relative p-5 sm:p-6">
        <p className="font-medium text-ink-500 text-sm">{texts.button}</p>
        <h2 className="mt-0.5 pr-10 font-semibold text-ink-900 text-lg" id={title}>
          {explanations[of].title}
        </h2>
        <DialogClose onClose={onClose} />
        <dl className="mt-4 grid gap-3.5 text-[0.9375rem]">
          {facts.map(([label, value]) => (
            <div key={label}>
              <dt className="font-medium text-ink-500 text-sm">{label}</dt>
              <dd className="mt-0.5 text-ink-900">{value}</dd>
            </div>
          ))}
        </dl>
      </div>
    </Dialog>
  );
}
