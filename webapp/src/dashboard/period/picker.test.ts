import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { chosenDays, fromCalendarDate, toCalendarDate } from "./picker";

const first = { year: 2026, month: 3, day: 8 };
const last = { year: 2026, month: 3, day: 15 };

it("has chosen nothing until both ends are there", () => {
  const from = toCalendarDate(first);
  expect(chosenDays({})).toBeUndefined();
  expect(chosenDays({ from })).toBeUndefined();
  expect(chosenDays({ from, to: undefined })).toBeUndefined();
  expect(chosenDays({ to: from })).toBeUndefined();
});

it("orders the ends and takes a single day", () => {
  const [from, to] = [toCalendarDate(first), toCalendarDate(last)];
  expect(chosenDays({ from, to })).toEqual({ from: first, to: last });
  expect(chosenDays({ from: to, to: from })).toEqual({ from: first, to: last });
  expect(chosenDays({ from, to: from })).toEqual({ from: first, to: first });
});

// Beirut skips the first hour of this day, New York one in its night.
describe.each([
  ["UTC", first],
  ["America/New_York", first],
  ["America/Panama", first],
  ["Asia/Beirut", { year: 2026, month: 3, day: 29 }],
])("in a browser in %s", (zone, day) => {
  beforeEach(() => {
    vi.stubEnv("TZ", zone);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it("carries a day over and back", () => {
    expect(fromCalendarDate(toCalendarDate(day))).toEqual(day);
  });
});
