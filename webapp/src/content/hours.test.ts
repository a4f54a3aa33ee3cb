import { expect, it } from "vitest";
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
