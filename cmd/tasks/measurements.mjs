// What was measured, as data, and the page of it: each figure of a run takes the place of the one before.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import path from "node:path";
import { aims } from "./aims.mjs";
import { root } from "./run.mjs";

const data = path.join(root, "schema/reference/measurements.json");
const page = path.join(root, "schema/reference/measurements.md");
const line =
  /^pkg: (?:\S*\/)?(?<folder>\S+)|^Benchmark(?<name>\S+?)(?:-\d+)?\s+\d+\s+(?<metrics>\S.*)$/gm;

/** The figures in the output of go test -bench, by folder and benchmark. */
export function figuresOf(output) {
  const figures = {};
  let within;
  for (const { groups } of output.matchAll(line)) {
    if (groups.folder) within = groups.folder;
    else
      figures[`${within}: ${groups.name}`] = Object.fromEntries(
        [...groups.metrics.matchAll(/(\S+) (\S+)/g)].map(([, value, unit]) => [
          unit,
          Number(value),
        ]),
      );
  }
  return figures;
}

/** Writes figures into the data, leaves the others as they are, and makes the page of all. */
export function record(figures) {
  const measured = JSON.parse(readFileSync(data, "utf8"));
  const run = {
    on: new Date().toISOString().slice(0, 10),
    load: Number(loadavg()[0].toFixed(1)),
    of: execFileSync("git", ["rev-parse", "--short", "HEAD"], {
      cwd: root,
      encoding: "utf8",
    }).trim(),
  };
  for (const [name, found] of Object.entries(figures)) measured[name] = { ...run, figures: found };
  const sorted = Object.entries(measured).sort(([a], [b]) =>
    a.localeCompare(b, "en", { numeric: true }),
  );
  const rows = sorted.map(([name, row]) => `${JSON.stringify(name)}: ${JSON.stringify(row)}`);
  writeFileSync(data, `{\n${rows.join(",\n")}\n}\n`);
  const reached = table(
    ["what", "beside", "aim", "figure", "least–greatest", "measured", "reached?"],
    aims.map((aim) => reachedBy(aim, measured[aim.in])),
  );
  const all = table(
    ["measured", "figures", "on, at load, of"],
    sorted.map(([name, row]) => [
      name,
      Object.entries(row.figures)
        .map(([unit, value]) => `${number(value)} ${unit}`)
        .join(", "),
      when(row),
    ]),
  );
  writeFileSync(
    page,
    `# Figures of the benchmarks

[MEASUREMENTS](../MEASUREMENTS.md) explains them. This page is generated: \`npm run bench\`.

## Aims

${reached}
## All figures

${all}`,
  );
  console.log(`\n${reached}\nWritten into ${path.relative(root, page)}.`);
}

/** A row of the table of aims: its figure, the spread of its rounds, and why it is missed where it is. */
function reachedBy(
  { what, beside = "", figure, most, least, unit = "", why = "", missing = "" },
  row,
) {
  const bounds = [
    least !== undefined && `≥ ${least}${unit}`,
    most !== undefined && `≤ ${most}${unit}`,
  ];
  const aim = bounds.find(Boolean) || "none";
  const value = row?.figures[figure];
  if (value === undefined)
    return [what, beside, aim, "", "", "", `not measured. ${missing}`.trim()];
  const ends = ["least", "greatest"].map((end) => row.figures[`${end}-${figure}`]);
  const spread = ends.includes(undefined) ? "" : ends.map(number).join("–");
  const met = value >= (least ?? value) && value <= (most ?? value);
  const reached = aim === "none" ? why : met ? "yes" : `no: ${why}`;
  return [what, beside, aim, `${number(value)}${unit}`, spread, when(row), reached];
}

const when = ({ on, load, of }) => [on, load, of].filter((part) => part !== undefined).join(", ");

const number = (value) => (typeof value === "number" ? value.toLocaleString("en") : value);

function table(head, rows) {
  const lines = [head, head.map(() => "---"), ...rows];
  return `${lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}\n`;
}
