// The public pages as Lighthouse sees them from a slow phone, each one three times: a table
// of the medians beside what they are to reach.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { withProgram } from "./program.mjs";
import { run } from "./run.mjs";
import { findBrowser, installLighthouse } from "./setup.mjs";

const runs = 3;
const pages = ["/", "/services/endodoncia", "/blog/por-que-sangran-las-encias", "/contact"];

const score = (category) => (report) => Math.round(report.categories[category].score * 100);
const measured = (audit) => (report) => report.audits[audit].numericValue;
const seconds = (value) => `${(value / 1000).toFixed(2)} s`;

const figures = [
  { name: "Performance", of: score("performance"), least: 98 },
  { name: "Accessibility", of: score("accessibility"), least: 100 },
  { name: "Best practices", of: score("best-practices"), least: 100 },
  { name: "SEO", of: score("seo"), least: 100 },
  { name: "LCP", of: measured("largest-contentful-paint"), most: 1800, written: seconds },
  {
    name: "TBT",
    of: measured("total-blocking-time"),
    most: 50,
    written: (value) => `${Math.round(value)} ms`,
  },
  {
    name: "CLS",
    of: measured("cumulative-layout-shift"),
    most: 0.02,
    written: (value) => value.toFixed(3),
  },
];

export async function lighthouse() {
  const program = await installLighthouse();
  const browser = await findBrowser();
  const folder = mkdtempSync(path.join(tmpdir(), "bitacora-lighthouse-"));
  const table = {};
  const load = () =>
    loadavg()
      .map((average) => average.toFixed(1))
      .join(" ");
  console.log(`Load of the machine before: ${load()}`);
  try {
    await withProgram(async ({ address }) => {
      // The first look does not count: the program is still printing its pages.
      await look(program, browser, address + pages[0], path.join(folder, "report"));
      for (const page of pages) {
        const reports = [];
        for (let number = 0; number < runs; number += 1) {
          reports.push(await look(program, browser, address + page, path.join(folder, "report")));
        }
        table[page] = Object.fromEntries(figures.map((figure) => rowOf(figure, reports)));
      }
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.table(table);
  console.log(`Load of the machine after: ${load()}. ✗ marks what is short of its target.`);
  return table;
}

async function look(program, browser, address, file) {
  const flags = ["--headless=new", ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])];
  await run(
    process.execPath,
    [
      program,
      address,
      "--quiet",
      "--output=json",
      `--output-path=${file}`,
      `--chrome-flags=${flags.join(" ")}`,
    ],
    { env: { CHROME_PATH: browser } },
  );
  return JSON.parse(readFileSync(file, "utf8"));
}

function rowOf({ name, of, least, most, written = String }, reports) {
  const sorted = reports.map(of).sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)];
  const short = (least !== undefined && median < least) || (most !== undefined && median > most);
  const target = least !== undefined ? `≥ ${written(least)}` : `≤ ${written(most)}`;
  return [`${name} (${target})`, `${written(median)}${short ? " ✗" : ""}`];
}
