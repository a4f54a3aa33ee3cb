import type { Schemas } from "../../api/client";

/** How close the month is to its limit. */
type LimitState = "normal" | "warning" | "reached";

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

const thresholds = [100, 80] as const;

export type Threshold = (typeof thresholds)[number];

/** The highest share of the limit that is used up and worth a notice. */
export function thresholdOf({
  percentageUsed,
}: Pick<Schemas["MonthlyLimit"], "percentageUsed">): Threshold | undefined {
  return thresholds.find((threshold) => percentageUsed >= threshold);
}
