import { expect, it } from "vitest";
import { mayCount } from "./counting";

it("counts nobody who asks not to be followed", () => {
  expect(mayCount({})).toBe(true);
  expect(mayCount({ globalPrivacyControl: false, doNotTrack: null })).toBe(true);
  expect(mayCount({ doNotTrack: "unspecified" })).toBe(true);
  expect(mayCount({ globalPrivacyControl: true })).toBe(false);
  expect(mayCount({ doNotTrack: "1" })).toBe(false);
});
