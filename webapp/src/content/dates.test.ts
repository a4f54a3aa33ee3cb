import { expect, it } from "vitest";
import { formatPublished } from "./dates";

it.each([
  ["2026-02-03T09:00:00-05:00", "febrero 3, 2026"],
  ["2026-02-04T04:59:59.999Z", "febrero 3, 2026"],
  ["2026-02-04T05:00:00Z", "febrero 4, 2026"],
  ["2027-01-01T02:00:00Z", "diciembre 31, 2026"],
])("writes %s as %s", (instant, words) => {
  expect(formatPublished(instant)).toBe(words);
});
