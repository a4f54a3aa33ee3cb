/** How a number differs from the one of the period that it is compared with. */
import { dashboardTexts } from "../../content/dashboard";
import { formatDecimal } from "../../content/numbers";

const texts = dashboardTexts.delta;

export interface Delta {
  readonly direction: "up" | "down" | "same" | "none";
  /** With sign and unit; a dash or «nuevo» where there is nothing to measure by. */
  readonly text: string;
}

/**
 * Words a change that the server measured: counts in percent of what they were, rates in
 * percentage points; null where the other period gives no base.
 */
export function deltaOf(change: number | null, current: number, unit: "%" | "points"): Delta {
  if (change === null) {
    return current > 0
      ? { direction: "up", text: texts.fresh }
      : { direction: "none", text: texts.none };
  }
  const size = `${formatDecimal(Math.abs(change))}${unit === "%" ? "%" : texts.points}`;
  if (Math.abs(change) < 0.05) return { direction: "same", text: size };
  return change > 0
    ? { direction: "up", text: `+${size}` }
    : { direction: "down", text: `−${size}` };
}

/** The change from one count to another in percent; null where the first is 0. */
export function changeOf(current: number, previous: number): number | null {
  return previous === 0 ? null : (100 * (current - previous)) / previous;
}
