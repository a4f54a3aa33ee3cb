import type { ReactNode } from "react";
import { classes } from "../../ui/classes";
import { useMay } from "./rights";

interface DrillDownProps {
  /** Says which conversations it leads to. */
  readonly label: string;
  readonly onOpen: () => void;
  /** Not everybody may see conversations. */
  readonly to?: "conversations" | "days";
  readonly className?: string;
  readonly children: ReactNode;
}

/** A number that leads to the conversations it counts, or to its days. */
export function DrillDown({
  label,
  onOpen,
  to = "conversations",
  className,
  children,
}: DrillDownProps) {
  const seesPeople = useMay("people");
  if (!seesPeople && to === "conversations") {
    return <span className={classes("tabular-nums", className)}>{children}</span>;
  }
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
