import { expect, it } from "vitest";
import { busiestOf, type Cell, darknessOf, outlineOf, weekOf } from "./heatmap";

/** Open from 8 to 10 on Monday and Tuesday; the busiest hour is Monday's 9 o'clock. */
const cells: Cell[] = Array.from({ length: 168 }, (_, index) => {
  const weekday = Math.floor(index / 24) + 1;
  const hour = index % 24;
  const open = weekday <= 2 && (hour === 8 || hour === 9);
  return {
    weekday,
    hour,
    conversations: weekday === 1 ? hour * (hour <= 9 ? 1 : 0) : 0,
    leads: 0,
    appointments: 0,
    openMinutes: open ? 60 : 0,
  };
});

const at = (weekday: number, hour: number) => cells[(weekday - 1) * 24 + hour] as Cell;

it("lays the week out, in whatever order the cells come", () => {
  const week = weekOf([...cells].reverse());
  expect(week).toHaveLength(7);
  expect(week[6]?.[23]).toBe(at(7, 23));
});

it("is darkest where most happens, and white where nothing does", () => {
  expect(busiestOf(cells)).toBe(9);
  expect(darknessOf(at(1, 9), 9)).toBe(1);
  expect(darknessOf(at(3, 9), 9)).toBe(0);
  expect(darknessOf(at(1, 9), 0)).toBe(0);
});

it("outlines the opening hours only where they end", () => {
  const week = weekOf(cells);
  const none = { earlier: false, later: false, dayBefore: false, dayAfter: false };
  expect(outlineOf(week, at(1, 8))).toEqual({ ...none, earlier: true, dayBefore: true });
  expect(outlineOf(week, at(2, 9))).toEqual({ ...none, later: true, dayAfter: true });
  expect(outlineOf(week, at(1, 7))).toEqual(none);
});
