import { answer, failure, json, site } from "./answers";
import { input, log, opener, quietPage } from "./chatPanel";
import { expect, stopClock, test, tickUntil } from "./test";

const limitMessage =
  "El servicio de chat ha alcanzado su límite mensual. Puedes contactarnos directamente para más información.";

test.beforeEach(async ({ page }) => {
  await answer(page, site);
});

for (const [name, reply] of [
  ["429", failure(429)],
  ["limitReached", failure(503, { limitReached: true })],
] as const) {
  test(`closes 3 seconds after the limit message: ${name}`, async ({ page }) => {
    await answer(page, { chat: reply });
    await stopClock(page);
    await page.goto(quietPage);
    await tickUntil(page, opener(page));
    await opener(page).click();
    await input(page).fill("hola");
    await input(page).press("Enter");
    await tickUntil(page, log(page).getByText(limitMessage));
    await page.clock.runFor(2700);
    await expect(log(page)).toBeVisible();
    await page.clock.runFor(400);
    await expect(log(page)).toHaveCount(0);
    await expect(page.getByText(limitMessage)).toBeVisible();
    await page.clock.resume();
    await page.getByRole("button", { name: "Cerrar aviso" }).click();
    await expect(page.getByText(limitMessage)).toHaveCount(0);
  });
}

test("is not there when the month's limit is reached, and asks every 5 minutes", async ({
  page,
}) => {
  let limitReached = true;
  await answer(page, { status: (route) => json({ limitReached })(route) });
  await page.addInitScript(() => {
    const { fetch } = window;
    const asked: number[] = [];
    Object.assign(window, { asked });
    window.fetch = (resource, options) => {
      const address = resource instanceof Request ? resource.url : String(resource);
      if (address.endsWith("/api/chatbot/status")) asked.push(Date.now());
      return fetch(resource, options);
    };
  });
  /** When the page asked, by its own clock, once it has asked so many times. */
  const askedAt = async (times: number, step: number) => {
    let asked: number[] = [];
    await expect(async () => {
      await page.clock.runFor(step);
      asked = await page.evaluate(() => (window as unknown as { asked: number[] }).asked);
      expect(asked).toHaveLength(times);
    }).toPass({ timeout: 30_000, intervals: [1] });
    return asked;
  };
  const shown = page.getByRole("complementary", { name: "Asistente virtual" });

  await stopClock(page);
  await page.goto(quietPage);
  await askedAt(1, 20);
  await page.clock.runFor(6000);
  await expect(shown).toHaveCount(0);
  const [first = 0, second = 0] = await askedAt(2, 60_000);
  expect(second - first).toBeGreaterThanOrEqual(5 * 60 * 1000);
  expect(second - first).toBeLessThan(6 * 60 * 1000);
  limitReached = false;
  await askedAt(3, 60_000);
  await tickUntil(page, shown);
});

test("is there when the status cannot be asked", async ({ page }) => {
  await answer(page, { status: failure(503) });
  await page.goto(quietPage);
  await expect(opener(page)).toBeVisible();
});

test("is on public pages only", async ({ page }) => {
  await answer(page, { user: failure(401) });
  await page.goto("/no/existe");
  await expect(opener(page)).toBeVisible();
  await page.goto("/login");
  await expect(page.getByRole("heading", { name: "Acceso al Dashboard" })).toBeVisible();
  await expect(opener(page)).toHaveCount(0);
});
