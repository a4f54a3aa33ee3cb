import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import defaults from "../../e2e/clinic.json" with { type: "json" };
import { type ClinicAnswer, clinic, setClinic } from "./clinic";
import { hoursOfDay, instantInWords, inWords, openingAt } from "./hours";
import { formatIsoDay } from "./zone";

/** What the program knows of several clinics' hours; its tests write it. */
const tables = readFileSync(join(import.meta.dirname, "../../e2e/opening.jsonl"), "utf8")
  .trimEnd()
  .split("\n")
  .map(
    (line) =>
      JSON.parse(line) as {
        name: string;
        facts: Pick<ClinicAnswer, "hours" | "specialDays" | "zone" | "offsets">;
        cases: { now: string; open: boolean; next: string }[];
      },
  );

afterEach(() => setClinic(defaults as ClinicAnswer));

it.each(tables)("knows the hours as the program does: $name", ({ facts, cases }) => {
  setClinic({ ...defaults, ...facts } as ClinicAnswer);
  const known = cases.map(({ now }) => {
    const { open, next } = openingAt(new Date(now));
    return { now, open, next: next ? `${formatIsoDay(next.day)} ${next.time}` : "" };
  });
  expect(known).toEqual(cases);
});

it.each([
  ["2026-11-20T12:59:59Z", "hoy a las 8 a. m."],
  ["2026-11-21T04:59:00Z", "mañana a las 9 a. m."],
  ["2026-11-21T20:00:00Z", "el lunes a las 8 a. m."],
])("says at %s that it opens %s", (instant, words) => {
  const { next } = openingAt(new Date(instant));
  expect(next && inWords(next).replaceAll("\u00a0", " ")).toBe(words);
});

it.each([
  ["2026-11-20T13:00:00Z", "8 a. m. – 7 p. m."],
  ["2026-11-21T13:00:00Z", "9 a. m. – 3 p. m."],
  ["2026-11-23T04:00:00Z", "Cerrado"],
  ["2026-12-08T13:00:00Z", "10 a. m. – 12 p. m."],
])("gives at %s the hours of the clinic's day: %s", (instant, words) => {
  const spans = [{ opens: "10:00", closes: "12:00" }];
  const special = { from: "2026-12-08", until: "2026-12-08", days: "", spans };
  const hours = hoursOfDay(new Date(instant), { ...clinic, specialDays: [special] });
  expect(hours.replaceAll("\u00a0", " ")).toBe(words);
});

it("says a day that is more than a week ahead with its date", () => {
  const closed = { from: "2026-11-21", until: "2026-11-30", days: "", spans: [] };
  const of = { ...clinic, specialDays: [closed] };
  const { next } = openingAt(new Date("2026-11-21T20:00:00Z"), of);
  expect(next && inWords({ ...next, time: "13:30" }).replaceAll("\u00a0", " ")).toBe(
    "el martes 1 de diciembre a la 1:30 p. m.",
  );
});

it.each([
  ["2026-11-20T13:30:00Z", "hoy a las 8:30 a. m."],
  ["2026-11-20T14:00:00Z", "hoy a las 9 a. m."],
  ["2026-11-20T18:05:00Z", "hoy a la 1:05 p. m."],
  ["2026-11-21T15:00:00Z", "mañana a las 10 a. m."],
])("says %s as %s", (instant, words) => {
  const now = new Date("2026-11-20T12:00:00Z");
  expect(instantInWords(new Date(instant), now).replaceAll("\u00a0", " ")).toBe(words);
});
