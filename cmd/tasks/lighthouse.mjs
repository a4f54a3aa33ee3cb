// npm run lighthouse: the public pages as Lighthouse sees them from a slow phone, each one three
// times: a table of the medians beside what they are to reach. It ends with 1 where one falls short.
// --clinic FILE and --content FOLDER measure another clinic, as BITACORA_CLINIC_FILE and
// `bitacora content import` take them. `npm run bench lighthouse` writes the figures down.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { binary, withProgram } from "./program.mjs";
import { run, stop } from "./run.mjs";
import { build, checkTools, findBrowser, installLighthouse, installPackages } from "./setup.mjs";

const runs = 3;
/** One page of each kind; of services, posts and people the first that the site map names. */
const pages = ["/", "/services/", "/blog/", "/contact", "/about/"];

const score = (category) => (report) => Math.round(report.categories[category].score * 100);
const measured = (audit) => (report) => report.audits[audit].numericValue;
const seconds = (value) => `${(value / 1000).toFixed(2)} s`;

const figures = [
  { name: "Performance", of: score("performance"), least: 100 },
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
  { name: "Scripts, kB", of: scripts, written: (value) => value.toFixed(1) },
];

/** How much the scripts weigh that a page loads, as they are sent, in kB. */
function scripts(report) {
  const sent = report.audits["network-requests"].details.items;
  return sent
    .filter(({ resourceType }) => resourceType === "Script")
    .reduce((sum, { transferSize }) => sum + transferSize / 1000, 0);
}

/** `clinic` is a clinic's file and `content` a folder of its texts; without them it is the default clinic. */
export async function lighthouse({ clinic, content } = {}) {
  const program = await installLighthouse();
  const browser = await findBrowser("chromium");
  const folder = mkdtempSync(path.join(tmpdir(), "bitacora-lighthouse-"));
  const table = {};
  const load = () =>
    loadavg()
      .map((average) => average.toFixed(1))
      .join(" ");
  console.log(`Load of the machine before: ${load()}`);
  try {
    const settings = clinic ? { BITACORA_CLINIC_FILE: path.resolve(clinic) } : {};
    await withProgram(async ({ address, env }) => {
      if (content) await run(binary, ["content", "import", path.resolve(content)], { env });
      const map = await (await fetch(`${address}/sitemap.xml`)).text();
      const known = [...map.matchAll(/<loc>[^<]*?\/\/[^/<]+([^<]*)<\/loc>/g)].map(([, at]) => at);
      // The first look does not count: the program is still printing its pages.
      await look(program, browser, address + pages[0], path.join(folder, "report"));
      for (const kind of pages) {
        const page = kind === "/" ? kind : known.find((at) => at.startsWith(kind));
        if (!page) throw new Error(`the site map names no page like ${kind}`);
        const reports = [];
        for (let number = 0; number < runs; number += 1) {
          reports.push(await look(program, browser, address + page, path.join(folder, "report")));
        }
        table[page] = Object.fromEntries(figures.map((figure) => rowOf(figure, reports)));
      }
    }, settings);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.table(table);
  console.log(`Load of the machine after: ${load()}. ✗ marks what is short of its target.`);
  return table;
}

/** Whether every figure of the table reaches its target. */
const reached = (table) =>
  !Object.values(table).some((figures) =>
    Object.values(figures).some((text) => text.endsWith("✗")),
  );

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
  const target = [
    least !== undefined && ` (≥ ${written(least)})`,
    most !== undefined && ` (≤ ${written(most)})`,
  ].find(Boolean);
  return [name + (target || ""), `${written(median)}${short ? " ✗" : ""}`];
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values } = parseArgs({
    options: { clinic: { type: "string" }, content: { type: "string" } },
  });
  checkTools();
  await installPackages();
  await build();
  const table = await lighthouse(values).catch((error) => stop(`✗ ${error.message}`));
  if (!reached(table)) stop("✗ Some figures are short of their target.");
}
