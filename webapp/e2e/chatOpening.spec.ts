/** How the panel opens, how much it takes, and how it closes. */
import type { Page } from "@playwright/test";
import { answer, site } from "./answers";
import { input, log, openChat, opener, quietPage, widget } from "./chatPanel";
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  stopClock,
  test,
  tickUntil,
} from "./test";

test.beforeEach(async ({ page }) => {
  await answer(page, site);
});

/** The panel slides in: where it ends counts. */
async function expectWholeScreen(page: Page) {
  await expect(async () => {
    const box = await page.getByRole("region", { name: "Asistente virtual" }).boundingBox();
    const { x, y, width, height } = box ?? { x: 1, y: 1, width: 0, height: 0 };
    const rounded = [x, y, width, height].map(Math.round);
    expect(rounded).toEqual([0, 0, page.viewportSize()?.width, page.viewportSize()?.height]);
  }).toPass();
}

test("pulses after 3 seconds and opens itself at 5, without taking the focus", async ({ page }) => {
  await stopClock(page);
  await page.goto(quietPage);
  await tickUntil(page, opener(page));
  await page.clock.runFor(2700);
  await expect(opener(page)).toHaveAttribute("data-pulsing", "false");
  await page.clock.runFor(400);
  await expect(opener(page)).toHaveAttribute("data-pulsing", "true");
  await page.clock.runFor(1600);
  await expect(log(page)).toHaveCount(0);
  await page.clock.runFor(400);
  await expect(log(page)).toBeVisible();
  await expect(input(page)).not.toBeFocused();
  await expect(page.getByText("El asistente virtual se abrió")).toBeAttached();
  await page.clock.resume();
  await expectNoSidewaysScroll(page);
});

test("never opens itself after it was closed", async ({ page }) => {
  await stopClock(page);
  await page.goto(quietPage);
  await tickUntil(page, opener(page));
  await opener(page).click();
  await expect(input(page)).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(log(page)).toHaveCount(0);
  await expect(opener(page)).toBeFocused();
  await page.clock.runFor(10_000);
  await expect(log(page)).toHaveCount(0);
  await expect(opener(page)).toHaveAttribute("data-pulsing", "false");
});

/** Windows, and whether the panel opens itself there. */
const windows = [
  [320, 256, false],
  [320, 499, false],
  [320, 500, true],
  [390, 844, true],
  [639, 500, true],
  [640, 500, true],
  [740, 360, false],
  [844, 390, false],
  [768, 540, true],
  [1024, 600, true],
  [1280, 499, false],
  [1280, 900, true],
  [2560, 1300, true],
] as const;

for (const [width, height, opens] of windows) {
  test(`${opens ? "leaves more than half free" : "waits"} at ${width}×${height}`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ reducedMotion: "reduce" });
    await stopClock(page);
    await page.goto(quietPage);
    await tickUntil(page, opener(page));
    // The bar of the site stays in sight when the page is scrolled.
    await page.evaluate(() => window.scrollTo({ top: 300, behavior: "instant" }));
    await page.clock.runFor(10_000);
    const panel = page.getByRole("region", { name: "Asistente virtual" });
    await expect(panel).toHaveCount(opens ? 1 : 0);
    if (opens) {
      const bar = page.getByRole("banner").locator(".sticky");
      await expect(async () => {
        const box = await panel.boundingBox();
        const above = await bar.boundingBox();
        if (!box || !above) throw new Error("nothing is shown");
        expect(box.width * box.height).toBeLessThan((width * height) / 2);
        expect(box.y).toBeGreaterThanOrEqual(above.y + above.height);
        expect(box.x).toBeGreaterThanOrEqual(0);
        expect(box.y + box.height).toBeLessThanOrEqual(height);
      }).toPass();
      await input(page).focus();
    } else {
      await opener(page).click();
    }
    const whole = width < 640 || height < 500;
    if (whole) await expectWholeScreen(page);
    await page.keyboard.press("Escape");
    await expect(panel).toHaveCount(0);
  });
}

test("gives way to what takes the focus behind it, and closes from anywhere", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(quietPage);
  await opener(page).click();
  await expect(input(page)).toBeFocused();
  const link = page.getByRole("contentinfo").locator('a[href^="mailto:"]');
  await link.focus();
  await expect(log(page)).toHaveCount(0);
  await expect(link).toBeFocused();

  await opener(page).click();
  await expect(input(page)).toBeFocused();
  const home = page.getByRole("banner").getByRole("link").first();
  await home.focus();
  await expect(log(page)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(log(page)).toHaveCount(0);
  await expect(home).toBeFocused();
});

test("takes the page behind it out of reach where it covers that", async ({ page }) => {
  await page.setViewportSize({ width: 740, height: 360 });
  await openChat(page);
  await expect(input(page)).toBeFocused();
  for (let press = 0; press < 20; press += 1) {
    await page.keyboard.press("Tab");
    const outside = await page.evaluate(() => {
      const { activeElement } = document;
      return activeElement !== document.body && !activeElement?.closest("aside");
    });
    expect(outside).toBe(false);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await expect(page.locator("[inert]")).toHaveCount(0);
});

test("does not open itself over a low screen, and takes all of it when asked", async ({ page }) => {
  await page.setViewportSize({ width: 740, height: 360 });
  await stopClock(page);
  await page.goto(quietPage);
  await tickUntil(page, opener(page));
  await page.clock.runFor(10_000);
  await expect(log(page)).toHaveCount(0);
  await opener(page).click();
  await expectWholeScreen(page);
  await page.clock.resume();
  await expectAccessible(page, page.locator(widget));
});

test("takes a phone's whole screen when the visitor opens it", async ({ page, viewport }) => {
  await openChat(page);
  const panel = page.getByRole("region", { name: "Asistente virtual" });
  await expect(panel).toBeVisible();
  if (viewport && viewport.width < 640) await expectWholeScreen(page);
  await expect(panel).toContainText("Responde un asistente automático");
  await expect(panel).toContainText("conforme a la Ley 81 de 2019");
  await panel.getByRole("button", { name: "Cerrar el asistente virtual" }).click();
  await expect(opener(page)).toBeFocused();
});
