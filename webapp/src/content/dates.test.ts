import { expect, it } from "vitest";
import {
  formatDay,
  formatHour,
  formatMoment,
  formatMonth,
  formatPublished,
  formatShortDay,
  formatTime,
} from "./dates";

it("writes months as words", () => {
  const day = { year: 2020, month: 8, day: 7 };
  expect(formatDay(day)).toBe("7 ago 2020");
  expect(formatShortDay(day)).toBe("7 ago");
  expect(formatMonth(day)).toBe("ago 2020");
});

it("writes times of the clinic's day, midnight as 00:00", () => {
  const instant = new Date("2020-08-08T05:00:00Z");
  expect(formatTime(instant)).toBe("00:00");
  expect(formatHour(9)).toBe("09:00");
  expect(formatMoment(instant)).toBe("8 ago 2020, 00:00");
  expect(formatMoment(new Date("2020-08-08T03:55:00Z"))).toBe("7 ago 2020, 22:55");
});

it.each([
  ["2026-02-03T09:00:00-05:00", "febrero 3, 2026"],
  ["2026-02-04T04:59:59.999Z", "febrero 3, 2026"],
  ["2026-02-04T05:00:00Z", "febrero 4, 2026"],
  ["2027-01-01T02:00:00Z", "diciembre 31, 2026"],
])("writes %s as %s", (instant, words) => {
  expect(formatPublished(instant)).toBe(words);
});
