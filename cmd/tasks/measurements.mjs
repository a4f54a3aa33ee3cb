// The dated page of what was measured: each figure of a run takes the place of the one before.
import { readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import path from "node:path";
import { root } from "./run.mjs";

const page = path.join(root, "schema/reference/measurements.md");
const head = "| measured | figures | on, at load |\n|---|---|---|\n";
const line =
  /^pkg: (?:\S*\/)?(?<folder>\S+)|^Benchmark(?<name>\S+?)(?:-\d+)?\s+\d+\s+(?<metrics>\S.*)$/gm;

/** The figures in the output of go test -bench, by folder and benchmark. */
export function figuresOf(output) {
  const figures = {};
  let within;
  for (const { groups } of output.matchAll(line)) {
    if (groups.folder) within = groups.folder;
    else
      figures[`${within}: ${groups.name}`] = [...groups.metrics.matchAll(/(\S+) (\S+)/g)]
        .map(([, value, unit]) => `${Number(value).toLocaleString("en")} ${unit}`)
        .join(", ");
  }
  return figures;
}

/** Writes figures into the page, in order of their names, and leaves the others as they are. */
export function record(figures) {
  const text = readFileSync(page, "utf8");
  const begin = text.indexOf(head) + head.length;
  if (begin < head.length) throw new Error(`${path.relative(root, page)} has no table of figures`);
  const rows = new Map(
    text
      .slice(begin)
      .split("\n")
      .filter(Boolean)
      .map((row) => [row.split(" | ")[0], row]),
  );
  const on = `${new Date().toISOString().slice(0, 10)}, ${loadavg()[0].toFixed(1)}`;
  for (const [name, measured] of Object.entries(figures))
    rows.set(`| ${name}`, `| ${name} | ${measured} | ${on} |`);
  const sorted = [...rows.values()].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  writeFileSync(page, `${text.slice(0, begin)}${sorted.join("\n")}\n`);
  console.log(`Written into ${path.relative(root, page)}.`);
}
