import { expect, it } from "vitest";
import { cutTitle } from "./cutTitle";
import { wrapIndex } from "./useCarousel";

it.each([
  ["Por qué sangran las encías", "Por qué sangran las encía..."],
  ["Veinticinco caracteres ya", "Veinticinco caracteres ya"],
  ["😀".repeat(26), `${"😀".repeat(25)}...`],
])("cuts %j", (title, cut) => {
  expect(cutTitle(title)).toBe(cut);
});

it("goes round", () => {
  expect([-1, 0, 3, 4, 5].map((index) => wrapIndex(index, 4))).toEqual([3, 0, 3, 0, 1]);
});
