import { existsSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";

/** One script of the build, see Vite's manifest. */
interface Part {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
  readonly css?: readonly string[];
}

const built = resolve(import.meta.dirname, "../dist");
const manifestFile = join(built, ".vite/manifest.json");
if (!existsSync(manifestFile)) throw new Error("there is no build to weigh: npm run build");
const manifest: Readonly<Record<string, Part>> = JSON.parse(readFileSync(manifestFile, "utf8"));

const kilobyte = 1000;

/** The scripts that some parts are made of: themselves and what they import at once. */
function scriptsOf(...names: readonly string[]): Set<string> {
  const files = new Set<string>();
  const add = (name: string) => {
    const part = manifest[name];
    if (!part) throw new Error(`the build has no ${name}`);
    if (files.has(part.file)) return;
    files.add(part.file);
    part.imports?.forEach(add);
  };
  names.forEach(add);
  return files;
}

/** How much the scripts weigh on their way to the browser, in kB, without those already there. */
function weight(scripts: Set<string>, there: Set<string> = new Set()): number {
  return [...scripts]
    .filter((file) => !there.has(file))
    .reduce((sum, file) => sum + gzipSync(readFileSync(join(built, file))).length / kilobyte, 0);
}

const entry = "index.html";
/** What begins once the page is seen. */
const [app = ""] = manifest[entry]?.dynamicImports ?? [];
const pages = (manifest[app]?.dynamicImports ?? []).filter((name) =>
  /^src\/site\/.*Page\.tsx$/.test(name),
);

it("finds the pages", () => expect(pages.length).toBeGreaterThan(8));

/** What a page loads by itself; the chat has its own budget. */
function firstLoad(page: string): Set<string> {
  const toasts = page.endsWith("/ContactPage.tsx") ? ["src/ui/Toaster.tsx"] : [];
  return scriptsOf(entry, app, page, ...toasts);
}

describe("the first load of a public page is at most 95 kB", () => {
  it.each(pages)("%s", (page) => {
    expect(weight(firstLoad(page))).toBeLessThanOrEqual(95);
  });
});

it("what comes before the page is painted is at most 2 kB", () => {
  expect(weight(scriptsOf(entry))).toBeLessThanOrEqual(2);
});

/** How much files of the build weigh on the wire, in kB; fonts are packed already. */
function sentWeight(files: readonly string[]): number {
  const sizes = files
    .map((file) => join(built, file))
    .map((file) => {
      const packed = `${file}.br`;
      return statSync(existsSync(packed) ? packed : file).size;
    });
  return sizes.reduce((sum, size) => sum + size, 0) / kilobyte;
}

it("styles weigh at most 10.6 kB, and the two fonts of a page 22.6 and 12 kB", () => {
  expect(sentWeight(manifest[entry]?.css ?? [])).toBeLessThanOrEqual(10.6);
  const page = readFileSync(join(built, "index.html"), "utf8");
  const preloaded = page.matchAll(/rel="preload" as="font"[^>]*href="\/([^"]*)"/g);
  const fonts = Array.from(preloaded, ([, file = ""]) => sentWeight([file])).sort((a, b) => a - b);
  expect(fonts).toHaveLength(2);
  expect(fonts[0]).toBeLessThanOrEqual(12);
  expect(fonts[1]).toBeLessThanOrEqual(22.6);
});

it("the chat adds at most 8 kB", () => {
  const chat = scriptsOf("src/chat/ChatWidget.tsx");
  expect(weight(chat, scriptsOf(entry, app))).toBeLessThanOrEqual(8);
});

const dashboard = ["src/app/StaffDashboard.tsx", "src/dashboard/chart/TimeChart.tsx"];

it("the dashboard adds at most 169 kB", () => {
  expect(weight(scriptsOf(...dashboard), scriptsOf(entry, app))).toBeLessThanOrEqual(169);
});

it("the dashboard begins with at most 224 kB on the wire, toasts included", () => {
  const scripts = [...scriptsOf(entry, app, ...dashboard, "src/ui/Toaster.tsx")];
  expect(sentWeight(scripts)).toBeLessThanOrEqual(224);
});

/** What a server says before each file over HTTP/1.1, in kB. */
const answerHead = 0.9;

it("the scripts of a first visit to the home page, chat included, weigh at most 101.2 kB with their answers' heads", () => {
  const chat = ["src/chat/ChatWidget.tsx", "src/chat/ChatPanel.tsx", "src/chat/ChatMenu.tsx"];
  const scripts = [...scriptsOf(entry, app, "src/site/home/HomePage.tsx", ...chat)];
  expect(sentWeight(scripts) + scripts.length * answerHead).toBeLessThanOrEqual(101.2);
});

it("the drawings of a first visit to the home page weigh at most 6 kB on a phone", () => {
  const featured = [
    "ortodoncia",
    "implantes-dentales",
    "diseno-sonrisa",
    "endodoncia",
    "periodoncia",
    "rehabilitacion-oral",
  ];
  const drawings = ["hero/1", "welcome", ...featured.map((slug) => `services/${slug}`)];
  expect(sentWeight(drawings.map((name) => `img/${name}-640.svg`))).toBeLessThanOrEqual(6);
});
