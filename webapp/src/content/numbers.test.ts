import { afterEach, expect, it } from "vitest";
import { clinic } from "./clinic";
import { formatCount, formatCounted, formatDecimal, formatPercent } from "./numbers";

const { locale } = clinic;
afterEach(() => {
  Object.assign(clinic, { locale });
});

it.each([
  ["es-CO", "12.345", "12,2", "80,0%"],
  ["es-ES", "12.345", "12,2", "80,0\u00a0%"],
  ["es-MX", "12,345", "12.2", "80.0%"],
  ["es", "12,345", "12.2", "80.0%"],
])("writes numbers as in the clinic's country: %s", (country, count, decimal, percent) => {
  Object.assign(clinic, { locale: country });
  const said = [formatCount(12345), formatDecimal(12.23), formatPercent(80.04)];
  expect(said).toEqual([count, decimal, percent]);
});

it("writes numbers as in Panama", () => {
  expect(formatCount(1223)).toBe("1,223");
  expect(formatCount(0)).toBe("0");
  expect(formatDecimal(12.23)).toBe("12.2");
  expect(formatDecimal(134.76)).toBe("134.8");
  expect(formatDecimal(0)).toBe("0.0");
  expect(formatPercent(80.04)).toBe("80.0%");
});

it("counts one and many", () => {
  const counts = [0, 1, 1223].map((count) => formatCounted(count, "nota", "notas"));
  expect(counts).toEqual(["0 notas", "1 nota", "1,223 notas"]);
});
