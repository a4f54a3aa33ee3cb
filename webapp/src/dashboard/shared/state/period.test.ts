import { expect, it } from "vitest";
import {
  addressOfDays,
  countDays,
  daysFromAddress,
  daysOf,
  daysSince,
  formatDays,
  periodOf,
  recentPeriod,
  sameDays,
  shownPeriod,
} from "./period";

const summer = {
  from: { year: 2020, month: 7, day: 1 },
  to: { year: 2020, month: 8, day: 31 },
};

it("takes the last 30 days up to now by default", () => {
  const now = new Date("2026-11-21T01:30:00.123Z");
  expect(recentPeriod(now)).toEqual({ start: new Date("2026-10-22T01:30:00.123Z"), end: now });
});

it("takes the last day whole", () => {
  expect(periodOf(summer)).toEqual({
    start: new Date("2020-07-01T05:00:00.000Z"),
    end: new Date("2020-09-01T04:59:59.999Z"),
  });
});

it("gives back the days it was made of", () => {
  expect(daysOf(periodOf(summer))).toEqual(summer);
});

it("lives in the address", () => {
  const address = new URLSearchParams(addressOfDays(summer));
  expect(address.toString()).toBe("desde=2020-07-01&hasta=2020-08-31");
  expect(daysFromAddress(address)).toEqual(summer);
  expect(addressOfDays(undefined)).toEqual({});
});

it("may begin within a day, as the address says too", () => {
  const since = new Date("2020-07-03T15:12:05.123Z");
  const days = daysSince(since, summer);
  expect(days).toEqual({ ...summer, from: { year: 2020, month: 7, day: 3 }, since });
  expect(periodOf(days)).toEqual({ ...periodOf(summer), start: since });
  const address = new URLSearchParams(addressOfDays(days));
  expect(daysFromAddress(address)).toEqual(days);
  expect(formatDays(days)).toBe("3 jul 2020, 10:12 – 31 ago 2020");
});

it.each([
  "desde=2020-13-40T99:99:99.000Z&hasta=2020-08-31",
  "",
  "desde=2020-07-01",
  "desde=2020-08-31&hasta=2020-07-01",
  "desde=ayer&hasta=hoy",
])("ignores the address «%s»", (address) => {
  expect(daysFromAddress(new URLSearchParams(address))).toBeUndefined();
});

it("reads as words", () => {
  expect(formatDays(summer)).toBe("1 jul 2020 – 31 ago 2020");
  expect(formatDays({ from: summer.from, to: summer.from })).toBe("1 jul 2020");
});

it("grows up to now unless its days are chosen", () => {
  const asked = new Date("2026-11-21T01:30:00.123Z");
  const later = new Date("2026-11-21T01:45:00.000Z");
  const recent = shownPeriod(undefined, asked);
  expect(recent.name).toBe("2026-11-21T01:30:00.123Z");
  expect(recent.days).toEqual(daysOf(recentPeriod(asked)));
  expect(recent.asOf(later)).toEqual(recentPeriod(later));

  const chosen = shownPeriod(summer, asked);
  expect(chosen.name).toBe("2020-07-01,2020-08-31");
  expect(chosen.days).toBe(summer);
  expect(chosen.asOf(later)).toEqual(periodOf(summer));
});

it("counts and compares days", () => {
  expect(countDays(summer)).toBe(62);
  expect(sameDays(summer, { ...summer })).toBe(true);
  expect(sameDays(summer, { ...summer, since: new Date("2020-07-01T12:00:00Z") })).toBe(false);
  expect(sameDays(summer, { ...summer, to: summer.from })).toBe(false);
});
