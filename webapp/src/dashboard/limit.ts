import type { Schemas } from "../api/client";

/** How close the month is to its limit. */
export type LimitState = "normal" | "warning" | "reached";

const warningAbove = 80;
const reachedAt = 100;

/** Judges the unrounded share: 80.04 % is a warning although it reads 80.0 %. */
export function limitState({
  percentageUsed,
  limitReached,
}: Pick<Schemas["MonthlyLimit"], "percentageUsed" | "limitReached">): LimitState {
  if (limitReached || percentageUsed >= reachedAt) return "reached";
  return percentageUsed > warningAbove ? "warning" : "normal";
}
