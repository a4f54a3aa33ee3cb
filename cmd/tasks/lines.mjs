// npm run lines: counts the production lines by folder: what ships, without tests, generated files and the
// kits of tests. What moves into a kit later still counts: the exclusions are those of one day.
import { readFileSync } from "node:fs";
import path from "node:path";
import { root, run } from "./run.mjs";

const counted = /\.(go|tsx?|mjs|sql|css)$/;
const excluded =
  /_test\.go$|\.test\.tsx?$|\/e2e\/|\/testdata\/|\.gen\.(go|ts)$|\/(archive|clinic|engines|log|patient|postgres|privacy|program|projections|provider)test\//;

const sums = new Map();
for (const file of (await run("git", ["ls-files"], { quiet: true })).split("\n")) {
  if (!counted.test(file) || excluded.test(file)) continue;
  const lines = readFileSync(path.join(root, file), "utf8").split("\n").length - 1;
  const folder = path.dirname(file).split("/").slice(0, 2).join("/");
  for (const name of [folder, "total"]) sums.set(name, (sums.get(name) ?? 0) + lines);
}
for (const [name, lines] of [...sums].sort(([, a], [, b]) => a - b))
  console.log(`${String(lines).padStart(8)}  ${name}`);
