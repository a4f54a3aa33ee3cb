import { expect, it } from "vitest";
import {
  formatCount,
  formatDay,
  formatDecimal,
  formatMoment,
  formatPercent,
  formatTime,
} from "./spanish";

it("writes numbers as in Panama", () => {
  expect(formatCount(1223)).toBe("1,223");
  expect(formatCount(0)).toBe("0");
  expect(formatDecimal(12.23)).toBe("12.2");
  expect(formatDecimal(134.76)).toBe("134.8");
  expect(formatDecimal(0)).toBe("0.0");
  expect(formatPercent(80.04)).toBe("80.0%");
});

it("writes months as words", () => {
  expect(formatDay({ year: 2020, month: 8, day: 7 })).toBe("7 ago 2020");
});

it("writes times of the clinic's day, midnight as 00:00", () => {
  const instant = new Date("2020-08-08T05:00:00Z");
  expect(formatTime(instant)).toBe("00:00");
  expect(formatMoment(instant)).toBe("8 ago 2020, 00:00");
  expect(formatMoment(new Date("2020-08-08T03:55:00Z"))).toBe("7 ago 2020, 22:55");
});
