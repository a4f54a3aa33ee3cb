import { formatCount } from "../../content/numbers";
import { classes } from "../../ui/classes";

const tones = { warning: "bg-warn-50 text-warn-800", alarm: "bg-bad-50 text-bad-700" } as const;

interface CountBadgeProps {
  readonly count: number;
  /** Says it to those who do not see the number. */
  readonly label: (count: number) => string;
  readonly tone: keyof typeof tones;
}

/** How many wait for something; nothing where nobody does. */
export function CountBadge({ count, label, tone }: CountBadgeProps) {
  if (count === 0) return null;
  return (
    <span
      className={classes(
        "ml-1.5 rounded-full px-2 py-0.5 text-[0.8125rem] tabular-nums",
        tones[tone],
      )}
    >
      <span aria-hidden="true">{formatCount(count)}</span>
      <span className="sr-only">({label(count)})</span>
    </span>
  );
}
