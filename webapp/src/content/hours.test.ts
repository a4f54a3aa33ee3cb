import { expect, it } from "vitest";
import { clinic } from "./clinic";
import { isOpen } from "./hours";

it.each([
  ["Friday one minute before opening", "2026-11-20T12:59:59Z", false],
  ["Friday at opening", "2026-11-20T13:00:00Z", true],
  ["Friday just before closing", "2026-11-20T23:59:59.999Z", true],
  ["Friday at closing, which is Saturday in UTC", "2026-11-21T00:00:00Z", false],
  ["Saturday at opening", "2026-11-21T14:00:00Z", true],
  ["Saturday at closing", "2026-11-21T20:00:00Z", false],
  ["Sunday noon", "2026-11-22T17:00:00Z", false],
])("%s", (_, instant, open) => {
  expect(isOpen(new Date(instant))).toBe(open);
});

it("is closed between two spans of a day, by the clock of the clinic's zone", () => {
  const spans = [
    { opens: "08:00", closes: "12:00" },
    { opens: "13:00", closes: "19:00" },
  ];
  const hours = [{ days: "", hours: "", weekdays: [5], spans }];
  const at = (time: string) => isOpen(new Date(`2026-11-20T${time}:00-05:00`), hours);
  expect(["11:59", "12:00", "12:59", "13:00"].map(at)).toEqual([true, false, false, true]);
});

it("opens on a special day by its own hours, by the clock of the clinic", () => {
  const spans = [{ opens: "08:00", closes: "12:00" }];
  const special = [
    { from: "2026-12-24", until: "2026-12-24", days: "", spans },
    { from: "2026-12-25", until: "2026-12-26", days: "", spans: [] },
    { from: "2026-12-27", until: "2026-12-27", days: "", spans },
  ];
  const open = (time: string) =>
    isOpen(new Date(`2026-12-${time}:00-05:00`), clinic.hours, special);
  const times = [
    "23T12:00",
    "24T11:59",
    "24T12:00",
    "25T10:00",
    "26T10:00",
    "27T10:00",
    "28T10:00",
  ];
  expect(times.map(open)).toEqual([true, true, false, false, false, true, true]);
});
