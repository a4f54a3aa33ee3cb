import { expect, it } from "vitest";
import { rowsInView } from "./useRowWindow";

it("draws what is on the screen and a little more", () => {
  expect(rowsInView(500, 900, 80, 100_000)).toEqual({ first: 0, last: 19 });
  expect(rowsInView(5000, 900, 80, 100_000)).toEqual({ first: 0, last: 19 });
  const deep = rowsInView(-80 * 50_000, 900, 80, 100_000);
  expect(deep).toEqual({ first: 49_992, last: 50_020 });
  expect(rowsInView(-80 * 100_000 + 900, 900, 80, 100_000).last).toBe(99_999);
  expect(rowsInView(0, 900, 80, 3)).toEqual({ first: 0, last: 2 });
  expect(rowsInView(0, 900, 80, 0)).toEqual({ first: 0, last: 0 });
});

it("stays as it is for a few rows of scrolling", () => {
  const at = (rows: number) => rowsInView(-80 * rows, 800, 80, 1000);
  expect(at(100)).toEqual(at(100.5));
});
