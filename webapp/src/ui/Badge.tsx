import type { ReactNode } from "react";
import { classes } from "./classes";

const variants = {
  neutral: "bg-sand-100 text-ink-700",
  lead: "bg-teal-100 text-teal-800",
  alarm: "bg-bad-50 text-bad-700",
  warning: "bg-warn-50 text-warn-800",
  appointment: "bg-clay-100 text-clay-700",
} as const;

interface BadgeProps {
  readonly variant?: keyof typeof variants;
  /** Breaks a long text over lines. */
  readonly wraps?: boolean;
  readonly children: ReactNode;
}

export function Badge({ variant = "neutral", wraps = false, children }: BadgeProps) {
  return (
    <span
      className={classes(
        "inline-flex items-center gap-1 rounded-full px-2.5 py-0.5 font-medium text-[0.8125rem] leading-5 tabular-nums",
        variants[variant],
        wraps ? "min-w-0 [overflow-wrap:anywhere]" : "whitespace-nowrap",
      )}
    >
      {children}
    </span>
  );
}
