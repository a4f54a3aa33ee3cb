import type { ReactNode } from "react";
import { classes } from "../../ui/classes";

interface FactsProps {
  readonly facts: readonly (readonly [label: string, value: ReactNode])[];
  /** Whether the numbers are those that a card is about. */
  readonly large?: boolean;
}

/** Numbers below one another, each beside its name. */
export function Facts({ facts, large }: FactsProps) {
  return (
    <dl className="divide-y divide-sand-200">
      {facts.map(([label, value]) => (
        <div
          className={classes(
            "flex items-baseline justify-between gap-4",
            large ? "py-3 text-lg" : "py-2",
          )}
          key={label}
        >
          <dt className="text-[0.9375rem] text-ink-600">{label}</dt>
          <dd className="text-right font-semibold text-ink-900 tabular-nums [overflow-wrap:anywhere]">
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
