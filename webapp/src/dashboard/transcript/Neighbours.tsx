import { dashboardTexts } from "../../content/dashboard";
import { ChevronLeftIcon, ChevronRightIcon } from "../../ui/icons";

const texts = dashboardTexts.transcript;

/** Where something stands in a list, and the way to its neighbours. */
export interface ListPosition {
  /** Counts from 1. */
  readonly number: number;
  readonly total: number;
  /** Missing at the ends of the list. */
  readonly onPrevious: (() => void) | undefined;
  readonly onNext: (() => void) | undefined;
}

interface NeighboursProps {
  readonly place: ListPosition;
  /** What the steps are called. */
  readonly labels?: { readonly previous: string; readonly next: string };
}

/** Where one stands in a list, and the steps to its neighbours. */
export function Neighbours({ place, labels = texts }: NeighboursProps) {
  const { number, total, onPrevious, onNext } = place;
  const steps = [
    [labels.previous, ChevronLeftIcon, onPrevious],
    [labels.next, ChevronRightIcon, onNext],
  ] as const;
  return (
    <div className="no-print ml-auto flex items-center gap-1 text-ink-500 text-sm">
      <p aria-live="polite" className="mr-1 tabular-nums">
        {texts.position(number, total)}
      </p>
      {steps.map(([label, Icon, onStep]) => (
        <button
          aria-disabled={!onStep}
          aria-label={label}
          className="grid size-9 place-items-center rounded-lg text-ink-700 hover:bg-sand-100 aria-disabled:opacity-30"
          key={label}
          onClick={onStep}
          title={label}
          type="button"
        >
          <Icon />
        </button>
      ))}
    </div>
  );
}
