import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = import.meta.dirname;
const sources = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file) && !/\.(test|gen)\.ts$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));

it.each([
  ["the names of months", /"enero"/i, ["content/calendar.ts"]],
  ["the names of weekdays", /"lunes"/i, ["content/calendar.ts"]],
  ["dates in words", /\bmonths\[/, ["content/dates.ts"]],
  ["zones", /Intl\.DateTimeFormat|toLocale(Date|Time)/, ["content/zone.ts"]],
  ["numbers", /Intl\.NumberFormat|toLocaleString/, ["content/numbers.ts"]],
  ["accent folding", /\.normalize\(/, ["content/folded.ts"]],
])("%s: one file knows", (_, pattern, files) => {
  const found = sources.filter(({ text }) => pattern.test(text)).map(({ file }) => file);
  expect(found).toEqual(files);
});

it("draws every icon somewhere", () => {
  const icons = sources.flatMap(({ text }) =>
    Array.from(text.matchAll(/^export const (\w+Icon) = glyph\(/gm), ([, name = ""]) => name),
  );
  const drawn = (icon: string) =>
    sources.some(({ text }) => new RegExp(`import [^;]*\\b${icon}\\b`).test(text));
  expect(icons.length).toBeGreaterThan(30);
  expect(icons.filter((icon) => !drawn(icon))).toEqual([]);
});
