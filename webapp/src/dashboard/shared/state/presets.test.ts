import { expect, it } from "vitest";
import { formatIsoDay } from "../../../content/zone";
import { countDays } from "./period";
import { presetOf, presets } from "./presets";

const today = { year: 2026, month: 11, day: 20 };

it.each([
  ["today", "2026-11-20", "2026-11-20"],
  ["yesterday", "2026-11-19", "2026-11-19"],
  ["week", "2026-11-14", "2026-11-20"],
  ["quarter", "2026-08-23", "2026-11-20"],
  ["month", "2026-11-01", "2026-11-20"],
  ["lastMonth", "2026-10-01", "2026-10-31"],
  ["year", "2026-01-01", "2026-11-20"],
])("%s is %s to %s", (name, from, to) => {
  const days = presets.find((preset) => preset.name === name)?.days(today);
  expect(days && [formatIsoDay(days.from), formatIsoDay(days.to)]).toEqual([from, to]);
  expect(presetOf(days, today)?.name).toBe(name);
});

it("crosses the ends of months and years", () => {
  const newYear = { year: 2028, month: 1, day: 1 };
  const lastMonth = presets.find(({ name }) => name === "lastMonth");
  expect(lastMonth?.days(newYear)).toEqual({
    from: { year: 2027, month: 12, day: 1 },
    to: { year: 2027, month: 12, day: 31 },
  });
  const leap = lastMonth?.days({ year: 2028, month: 3, day: 15 });
  expect(leap?.to).toEqual({ year: 2028, month: 2, day: 29 });
  expect(leap && countDays(leap)).toBe(29);
});

it("knows the default period, and when a period is none of them", () => {
  expect(presetOf(undefined, today)?.name).toBe("recent");
  expect(presetOf({ from: { ...today, day: 3 }, to: today }, today)).toBeUndefined();
});

it("gives every preset a key of its own", () => {
  expect(new Set(presets.map(({ key }) => key)).size).toBe(presets.length);
});
