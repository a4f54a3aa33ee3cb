// How evenly the dashboard's longest list scrolls: the time between frames while the page
// moves through 100,000 conversations, beside a page of the same height that only shows a
// pattern, in the same browser.
import { loadavg } from "node:os";
import { chromium } from "@playwright/test";
import { withProgram } from "./program.mjs";
import { findBrowser } from "./setup.mjs";

const rows = 100_000;
const rowsAPage = 100;
const seconds = 5;
/** Pixels a second: while reading, with the wheel, and by the scroll bar. */
const speeds = { reading: 1500, wheel: 8000, "scroll bar": 400_000 };
/** One frame of 60 a second, in milliseconds. */
const frame = 1000 / 60;

export async function scroll() {
  const table = {};
  const load = () => loadavg()[0].toFixed(1);
  console.log(`Load of the machine before: ${load()}`);
  await withProgram(async ({ address }) => {
    const browser = await chromium.launch({
      executablePath: await findBrowser(),
      args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
    });
    try {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      await page.route("**/api/**", answer);
      await page.goto(`${address}/dashboard`);
      const list = page.getByRole("list", { name: "Conversaciones Recientes" });
      await list.getByRole("heading").first().waitFor();
      const control = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      await control.setContent(pattern(await page.evaluate(() => document.body.scrollHeight)));

      for (const [name, speed] of Object.entries(speeds)) {
        for (const [what, where] of [
          ["list", page],
          ["pattern", control],
        ]) {
          await where.bringToFront();
          table[`${what}, ${name}`] = figuresOf(await where.evaluate(move, { speed, seconds }));
        }
        // Rows that never came would be quick to draw.
        await page.bringToFront();
        await list.getByRole("heading").first().waitFor();
      }
    } finally {
      await browser.close();
    }
  });
  console.table(table);
  console.log(`Load of the machine after: ${load()}. A frame of 60 a second takes 16.7 ms.`);
  return table;
}

/** Scrolls at an even speed, from the top, and tells how long each frame took. */
function move({ speed, seconds }) {
  window.scrollTo({ top: 0, behavior: "instant" });
  return new Promise((resolve) => {
    const took = [];
    let began;
    let before;
    const next = (now) => {
      began ??= now;
      if (before !== undefined) took.push(now - before);
      before = now;
      if (now - began > seconds * 1000) resolve(took);
      else {
        window.scrollTo({ top: ((now - began) / 1000) * speed, behavior: "instant" });
        requestAnimationFrame(next);
      }
    };
    requestAnimationFrame(next);
  });
}

function figuresOf(took) {
  const sorted = took.toSorted((a, b) => a - b);
  const at = (share) => `${sorted[Math.floor(share * (sorted.length - 1))].toFixed(1)} ms`;
  const longer = (least) =>
    `${((100 * took.filter((time) => time > least).length) / took.length).toFixed(1)} %`;
  return {
    frames: took.length,
    median: at(0.5),
    p95: at(0.95),
    "one missed": longer(1.5 * frame),
    "two missed": longer(2.5 * frame),
  };
}

function pattern(height) {
  return `<!doctype html><body style="margin:0;height:${height}px;background:repeating-linear-gradient(#fff 0 79px,#ddd 79px 80px)">`;
}

/** The server's answers: somebody is signed in, and the list is long. */
async function answer(route) {
  const { pathname, searchParams } = new URL(route.request().url());
  if (pathname === "/api/auth/user") {
    await route.fulfill({ json: { id: "1", email: "recepcion@clinica.example" } });
  } else if (pathname === "/api/dashboard/conversations") {
    const first = Number(searchParams.get("offset") ?? 0);
    await route.fulfill({
      headers: { "X-Total-Count": String(rows) },
      json: Array.from({ length: rowsAPage }, (_, index) => conversation(first + index)),
    });
  } else await route.fulfill({ status: 503, json: { message: "", requestId: "" } });
}

function conversation(number) {
  return {
    id: `0c9f1a2b-5b1e-4d2a-9c41-${String(number).padStart(12, "0")}`,
    startedAt: new Date(Date.UTC(2026, 10, 20) - number * 300_000).toISOString(),
    messageCount: 3 + (number % 17),
    leadGenerated: number % 3 === 0,
    appointmentScheduled: number % 6 === 0,
    unanswered: number % 8 === 0 ? 1 : 0,
    outOfHours: number % 2 === 0,
    topics: ["precios", "citas"].slice(number % 3),
  };
}
