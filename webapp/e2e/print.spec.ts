/** Every page on paper. */
import type { Page } from "@playwright/test";
import { faults } from "./layout";
import { staffStates } from "./staffStates";
import { reach, type State, siteStates } from "./states";
import { expect, test } from "./test";

/** Sheets between their margins, in CSS pixels. */
const sheets = { A4: { width: 688, height: 1002 }, Letter: { width: 710, height: 935 } } as const;

/** What is looked at on a screen only. */
const controls = 'nav, form, aside, button, [role="tablist"], a[href="#contenido"]';

/** Runs in the page: texts in another colour than black, or on another ground than white. */
function unlikePaper(): string[] {
  const found: string[] = [];
  for (const element of document.querySelectorAll("main *")) {
    if (!element.checkVisibility() || element.closest("svg, [style], .heat")) continue;
    const { color, backgroundColor, backgroundImage } = getComputedStyle(element);
    if (color !== "rgb(0, 0, 0)" || !/, 0\)$/.test(backgroundColor) || backgroundImage !== "none")
      found.push(element.outerHTML.slice(0, 100));
  }
  return found;
}

/** Runs in the page: what can be seen of the elements that a selector names. */
function visible(selector: string): string[] {
  return [...document.querySelectorAll(selector)]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }))
    .filter((element) => element.getClientRects().length > 0)
    .map((element) => element.outerHTML.slice(0, 100));
}

async function expectPrintable(page: Page, state: State): Promise<void> {
  await reach(page, state);
  await page.emulateMedia({ media: "print" });
  for (const [format, size] of Object.entries(sheets)) {
    await page.setViewportSize(size);
    expect.soft(await faults(page), format).toEqual([]);
    expect.soft(await page.evaluate(unlikePaper), format).toEqual([]);
    expect.soft(await page.evaluate(visible, controls), format).toEqual([]);
    const file = await page.pdf({ format: format as keyof typeof sheets });
    const pages = file.toString("latin1").match(/\/Type\s*\/Page\b/g) ?? [];
    expect(pages.length).toBeGreaterThan(0);
    // No sheet is empty: what is printed fills all but the last.
    const height = await page.evaluate(() => document.body.scrollHeight);
    expect(pages.length).toBeLessThanOrEqual(Math.ceil((height * 1.35) / size.height) + 1);
  }
}

const printed = [
  ...siteStates.filter(({ name, path }) => name === path),
  ...siteStates.filter(({ name }) => name === "/about, the chat open"),
  ...staffStates.filter(({ name }) => /dashboard.*, (whole|the transcript)$/.test(name)),
];

for (const state of printed) {
  test(`${state.name} prints`, async ({ page }) => {
    await expectPrintable(page, state);
  });
}

test("a link to another site says where it leads", async ({ page }) => {
  const [article] = siteStates.filter(({ name }) => name === "/blog/articulo-1");
  if (!article) throw new Error("no article");
  await reach(page, article);
  await page.emulateMedia({ media: "print" });
  const link = page.getByRole("main").locator('a[href^="http"]').first();
  const content = await link.evaluate((element) => getComputedStyle(element, "::after").content);
  expect(content).toContain(await link.getAttribute("href"));
});

test("an open dialog is printed in full, and nothing else", async ({ page }) => {
  const [transcript] = staffStates.filter(({ name }) => name.endsWith(", the transcript"));
  if (!transcript) throw new Error("no transcript");
  await reach(page, transcript);
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("dialog").getByRole("listitem").last()).toBeVisible();
  await expect(page.getByText("Leads Generados")).toBeHidden();
});
