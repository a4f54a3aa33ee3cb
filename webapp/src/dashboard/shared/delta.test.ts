import { expect, it } from "vitest";
import { changeOf, deltaOf } from "./delta";

it.each([
  [12, 112, "%", "up", "+12.0%"],
  [-12, 88, "%", "down", "−12.0%"],
  [0, 100, "%", "same", "0.0%"],
  [-0.04, 100, "%", "same", "0.0%"],
  [0.05, 100, "%", "up", "+0.1%"],
  [-100, 0, "%", "down", "−100.0%"],
  [null, 5, "%", "up", "nuevo"],
  [null, 0, "%", "none", "—"],
  [2.4576, 26.5576, "points", "up", "+2.5\u00a0pp"],
  [-0.8, 3.2, "points", "down", "−0.8\u00a0pp"],
] as const)("%d to %d in %s is %s: %s", (change, current, unit, direction, text) => {
  expect(deltaOf(change, current, unit)).toEqual({ direction, text });
});

it("measures by what was there before", () => {
  expect(changeOf(112, 100)).toBe(12);
  expect(changeOf(0, 40)).toBe(-100);
  expect(changeOf(5, 0)).toBeNull();
});
