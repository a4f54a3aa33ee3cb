import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  addDays,
  compareDays,
  dayAt,
  dayOf,
  endOfDay,
  formatIsoDay,
  parseIsoDay,
  startOfDay,
  wallClock,
} from "./zone";

const browserZones = [
  { zone: "UTC", januaryOffset: 0 },
  { zone: "America/New_York", januaryOffset: 300 },
  { zone: "America/Panama", januaryOffset: 300 },
  { zone: "Pacific/Auckland", januaryOffset: -780 },
];

describe.each(browserZones)("in a browser in $zone", ({ zone, januaryOffset }) => {
  beforeEach(() => {
    vi.stubEnv("TZ", zone);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it("really runs there", () => {
    expect(new Date(2026, 0, 15).getTimezoneOffset()).toBe(januaryOffset);
  });

  it("begins and ends a day at the clinic's midnight", () => {
    const day = { year: 2020, month: 8, day: 31 };
    expect(startOfDay(day).toISOString()).toBe("2020-08-31T05:00:00.000Z");
    expect(endOfDay(day).toISOString()).toBe("2020-09-01T04:59:59.999Z");
  });

  it.each([
    ["2020-08-07T04:59:59.999Z", "2020-08-06"],
    ["2020-08-07T05:00:00.000Z", "2020-08-07"],
    ["2020-08-08T04:59:59.999Z", "2020-08-07"],
    ["2021-01-01T04:59:59.999Z", "2020-12-31"],
    ["2024-03-01T04:59:59.999Z", "2024-02-29"],
  ])("%s lies on %s", (instant, day) => {
    expect(formatIsoDay(dayOf(new Date(instant)))).toBe(day);
  });

  it("reads the clinic's wall clock", () => {
    expect(wallClock(new Date("2026-11-21T00:05:09.700Z"))).toEqual({
      year: 2026,
      month: 11,
      day: 20,
      hour: 19,
      minute: 5,
      second: 9,
    });
  });

  it("follows zones that move their clocks", () => {
    const spring = { year: 2026, month: 3, day: 8 };
    const autumn = { year: 2026, month: 11, day: 1 };
    const length = (day: typeof spring) =>
      endOfDay(day, "America/New_York").getTime() - startOfDay(day, "America/New_York").getTime();
    expect(startOfDay(spring, "America/New_York").toISOString()).toBe("2026-03-08T05:00:00.000Z");
    expect(length(spring)).toBe(23 * 3_600_000 - 1);
    expect(length(autumn)).toBe(25 * 3_600_000 - 1);
  });
});

const hour = 3_600_000;

it.each([
  ["Europe/Madrid", "2026-03-29", "2026-03-28T23:00:00.000Z", 23],
  ["Europe/Madrid", "2026-10-25", "2026-10-24T22:00:00.000Z", 25],
  ["Europe/Madrid", "2026-07-01", "2026-06-30T22:00:00.000Z", 24],
  ["Pacific/Auckland", "2026-09-27", "2026-09-26T12:00:00.000Z", 23],
  ["Pacific/Auckland", "2026-04-05", "2026-04-04T11:00:00.000Z", 25],
  ["America/New_York", "2026-03-08", "2026-03-08T05:00:00.000Z", 23],
  ["America/New_York", "2026-11-01", "2026-11-01T04:00:00.000Z", 25],
  // Here the clocks move at midnight: one day begins at 01:00, and one ends after 23:59 twice.
  ["America/Santiago", "2026-09-06", "2026-09-06T04:00:00.000Z", 23],
  ["America/Santiago", "2026-04-04", "2026-04-04T03:00:00.000Z", 25],
  ["America/Havana", "2026-11-01", "2026-11-01T04:00:00.000Z", 25],
  ["Australia/Lord_Howe", "2026-10-04", "2026-10-03T13:30:00.000Z", 23.5],
])("a day in %s: %s begins at %s and has %d hours", (zone, text, begin, hours) => {
  const day = parseIsoDay(text) ?? fail(text);
  const [start, end] = [startOfDay(day, zone), endOfDay(day, zone)];
  expect(start.toISOString()).toBe(begin);
  expect((end.getTime() + 1 - start.getTime()) / hour).toBe(hours);
  for (const [instant, lies] of [
    [start, true],
    [end, true],
    [new Date(start.getTime() - 1), false],
    [new Date(end.getTime() + 1), false],
  ] as const) {
    expect(formatIsoDay(dayOf(instant, zone)) === text).toBe(lies);
  }
});

function fail(text: string): never {
  throw new Error(`no day: ${text}`);
}

it("reads only days that a calendar has", () => {
  expect(parseIsoDay("2024-02-29")).toEqual({ year: 2024, month: 2, day: 29 });
  for (const text of ["2023-02-29", "2024-13-01", "2024-1-01", "2024-01-01T00:00", "", "hoy"]) {
    expect(parseIsoDay(text)).toBeUndefined();
  }
});

it("counts on across the ends of months and years", () => {
  expect(addDays({ year: 2024, month: 2, day: 28 }, 2)).toEqual({ year: 2024, month: 3, day: 1 });
  expect(addDays({ year: 2026, month: 1, day: 1 }, -1)).toEqual({ year: 2025, month: 12, day: 31 });
  expect(dayAt(2024, 3, 0)).toEqual({ year: 2024, month: 2, day: 29 });
});

it("orders days", () => {
  const a = { year: 2020, month: 12, day: 31 };
  const b = { year: 2021, month: 1, day: 1 };
  expect(compareDays(a, b)).toBeLessThan(0);
  expect(compareDays(b, a)).toBeGreaterThan(0);
  expect(compareDays(a, { ...a })).toBe(0);
});
