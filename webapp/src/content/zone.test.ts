import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  businessZone,
  compareDays,
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
      weekday: 5,
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

it("names the clinic's zone", () => {
  expect(businessZone).toBe("America/Panama");
});

it("reads only days that a calendar has", () => {
  expect(parseIsoDay("2024-02-29")).toEqual({ year: 2024, month: 2, day: 29 });
  for (const text of ["2023-02-29", "2024-13-01", "2024-1-01", "2024-01-01T00:00", "", "hoy"]) {
    expect(parseIsoDay(text)).toBeUndefined();
  }
});

it("orders days", () => {
  const a = { year: 2020, month: 12, day: 31 };
  const b = { year: 2021, month: 1, day: 1 };
  expect(compareDays(a, b)).toBeLessThan(0);
  expect(compareDays(b, a)).toBeGreaterThan(0);
  expect(compareDays(a, { ...a })).toBe(0);
});
