import type { ReactNode } from "react";
import { classes } from "../../ui/classes";

interface DrillDownProps {
  /** Says which conversations it leads to. */
  readonly label: string;
  readonly onOpen: () => void;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A number that leads to the conversations it counts. */
export function DrillDown({ label, onOpen, className, children }: DrillDownProps) {
  return (
    <button
      aria-label={label}
      className={classes(
        "relative rounded-sm text-left tabular-nums underline decoration-transparent decoration-dotted decoration-2 underline-offset-4 hover:decoration-current",
        className,
      )}
      onClick={onOpen}
      title={label}
      type="button"
    >
      {children}
    </button>
  );
}
