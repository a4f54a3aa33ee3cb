import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test as base, expect, type Locator, type Page } from "@playwright/test";
import type axe from "axe-core";

/** What the browser itself says about a refused or failed request is no fault of the page. */
const networkFailure = /^Failed to load resource/;

interface Fixtures {
  /** The one error that the page has to write, and may. */
  readonly expectedError: RegExp | undefined;
  readonly quietConsole: undefined;
}

/** A test whose page must write no other error and break no content security policy. */
export const test = base.extend<Fixtures>({
  expectedError: [undefined, { option: true }],
  quietConsole: [
    async ({ page, expectedError }, use) => {
      const problems: string[] = [];
      page.on("pageerror", (error) => problems.push(String(error)));
      page.on("console", (message) => {
        const serious = message.type() === "error" || message.type() === "warning";
        if (serious && !networkFailure.test(message.text())) problems.push(message.text());
      });
      await use(undefined);
      const expected = problems.filter((complaint) => expectedError?.test(complaint));
      expect(problems.filter((complaint) => !expected.includes(complaint))).toEqual([]);
      expect(expected).toHaveLength(expectedError ? 1 : 0);
    },
    { auto: true },
  ],
});

/**
 * Asserts that axe finds nothing to object to, on the page or in a part of it: where that is new, since the
 * states of staffStates.ts and states.ts are looked at as a whole.
 * What has a light and a dark theme is looked at in both, the second time by the rules about colours.
 */
export async function expectAccessible(page: Page, part = page.locator("html")): Promise<void> {
  const themed = (await page.locator("html[data-theme]").count()) > 0;
  if (themed) await changeTheme(page, "dark");
  expect(await accessibilityViolations(part, allRules)).toEqual([]);
  if (!themed) return;
  await changeTheme(page, "light");
  expect(await accessibilityViolations(part, rulesOfColours), "light").toEqual([]);
}

/**
 * Asserts the same in a narrow and a wide window. What has two themes is dark in the first and light in the
 * second: its colours do not depend on the window.
 */
export async function expectAccessibleInWindows(
  page: Page,
  widths: readonly [narrow: number, wide: number],
): Promise<void> {
  const themed = (await page.locator("html[data-theme]").count()) > 0;
  for (const [index, width] of widths.entries()) {
    await page.setViewportSize({ width, height: 800 });
    if (themed) await changeTheme(page, index === 0 ? "dark" : "light");
    const violations = await accessibilityViolations(page.locator("html"), allRules);
    expect(violations, `${width} px`).toEqual([]);
  }
}

const allRules: axe.RunOnly = {
  type: "tag",
  values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
};
const rulesOfColours: axe.RunOnly = {
  type: "rule",
  values: ["color-contrast", "link-in-text-block"],
};
const axeSource = readFileSync(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);

/** Changes what the system prefers, which a reader's own choice outweighs. */
async function changeTheme(page: Page, colorScheme: "dark" | "light"): Promise<void> {
  await page.emulateMedia({ colorScheme });
  const chosen = await page.evaluate(() => localStorage.getItem("bitacora-theme"));
  await expect(page.locator("html")).toHaveAttribute("data-theme", chosen ?? colorScheme);
}

/** Brings everything that moves or fades to where it comes to rest, however slow the machine is. */
async function finishMotion(page: Page): Promise<void> {
  await page.evaluate(() => {
    const moving = () =>
      document
        .getAnimations()
        .filter(({ playState }) => playState !== "finished")
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    // What inherits a colour sets out only once the colour above it has come to rest.
    for (let found = moving(); found.length > 0; found = moving()) {
      for (const motion of found) motion.finish();
    }
  });
}

async function accessibilityViolations(part: Locator, runOnly: axe.RunOnly): Promise<string[]> {
  const page = part.page();
  // A text that is still fading in has not the contrast that it is read with.
  await finishMotion(page);
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axeSource);
  return await part.evaluate(async (element, runOnly) => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(
      element as Element,
      { resultTypes: ["violations"], runOnly },
    );
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.html).join(" ")}`);
  }, runOnly);
}

/** Stops the page's clock before the page loads; from then on only `clock.runFor` moves it. */
export async function stopClock(page: Page): Promise<void> {
  const now = new Date("2026-11-20T15:00:00Z");
  await page.clock.install({ time: now });
  await page.clock.pauseAt(new Date(now.getTime() + 1000));
}

/** Moves a stopped clock in steps of a few milliseconds until `seen` is visible. */
export async function tickUntil(page: Page, seen: Locator): Promise<void> {
  await expect(async () => {
    await page.clock.runFor(20);
    await expect(seen).toBeVisible({ timeout: 80 });
  }).toPass({ intervals: [1] });
}

/** The row at a place of the conversation list, counted from 1, wherever the page stands. */
export async function listRow(page: Page, position: number): Promise<Locator> {
  const list = page.getByRole("list", { name: "Conversaciones Recientes" });
  const row = list.locator(`[aria-posinset="${position}"]`);
  await expect(async () => {
    await list.evaluate((element, place) => {
      const height = element.firstElementChild?.getBoundingClientRect().height ?? 0;
      const top = element.getBoundingClientRect().top + window.scrollY;
      window.scrollTo({ top: top + (place - 3) * height, behavior: "instant" });
    }, position);
    await expect(row.getByRole("heading")).toBeInViewport({ timeout: 1000 });
  }).toPass();
  return row;
}

/** Asserts that nothing sticks out to the right. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const [width, viewport] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  expect(width).toBeLessThanOrEqual(viewport ?? 0);
}

export { expect };

export const staffEmail = process.env.E2E_STAFF_EMAIL ?? "";
export const ownerEmail = process.env.E2E_OWNER_EMAIL ?? "";

/** Opens the dashboard of the real server. */
export async function signIn(page: Page, email = staffEmail): Promise<void> {
  await page.goto("/login");
  await page.getByLabel("Correo electrónico").fill(email);
  await page.getByLabel("Contraseña").fill(process.env.E2E_STAFF_PASSWORD ?? "");
  await page.getByRole("button", { name: "Iniciar sesión" }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
}
