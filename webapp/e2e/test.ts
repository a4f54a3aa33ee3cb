import AxeBuilder from "@axe-core/playwright";
import { test as base, expect, type Page } from "@playwright/test";

/** What the browser itself says about a refused or failed request is no fault of the page. */
const ownWords = /^Failed to load resource/;

/** A test whose page must write no error and break no content security policy. */
export const test = base.extend<{ quietConsole: undefined }>({
  quietConsole: [
    async ({ page }, use) => {
      const complaints: string[] = [];
      page.on("pageerror", (error) => complaints.push(String(error)));
      page.on("console", (message) => {
        const serious = message.type() === "error" || message.type() === "warning";
        if (serious && !ownWords.test(message.text())) complaints.push(message.text());
      });
      await use(undefined);
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
});

/** Asserts that axe finds nothing to object to. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"])
    .analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.html).join(" ")}`);
  expect(found).toEqual([]);
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
