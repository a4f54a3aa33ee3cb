import { expect, it } from "vitest";
import { limitState, thresholdOf } from "./limit";

it.each([
  [0, false, "normal"],
  [80, false, "normal"],
  [80.04, false, "warning"],
  [99.99, false, "warning"],
  [100, false, "reached"],
  [130, true, "reached"],
  [0, true, "reached"],
] as const)("%d %% used, reached %s: %s", (percentageUsed, limitReached, state) => {
  expect(limitState({ percentageUsed, limitReached })).toBe(state);
});

it("gives notice of the higher threshold that is reached", () => {
  const at = (percentageUsed: number) => thresholdOf({ percentageUsed });
  expect([79.9, 80, 99.9, 100, 120].map(at)).toEqual([undefined, 80, 80, 100, 100]);
});
