import { dashboardTexts } from "../../content/dashboard";
import { classes } from "../../ui/classes";
import type { Delta } from "./delta";
import { FallIcon, RiseIcon } from "./icons";

const texts = dashboardTexts.delta;

interface ChangeProps {
  readonly delta: Delta;
  /** Whether a rise is for the worse. */
  readonly lessIsBetter?: boolean;
}

/** A change as arrow, sign and number. */
export function Change({ delta, lessIsBetter }: ChangeProps) {
  const { direction, text } = delta;
  const [good, bad] = lessIsBetter ? ["down", "up"] : ["up", "down"];
  return (
    <span
      className={classes(
        "inline-flex items-center align-middle gap-0.5 whitespace-nowrap font-semibold text-sm tabular-nums",
        direction === good && "text-good-700",
        direction === bad && "text-bad-700",
        (direction === "same" || direction === "none") && "text-ink-500",
      )}
    >
      {direction === "up" && <RiseIcon className="size-4" />}
      {direction === "down" && <FallIcon className="size-4" />}
      {direction !== "none" && <span className="sr-only">{texts[direction]} </span>}
      {text}
    </span>
  );
}
