import type { Page } from "@playwright/test";
import { answer, failure, json, silence, site } from "./answers";
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  stopClock,
  test,
  tickUntil,
} from "./test";

const limitMessage =
  "El servicio de chat ha alcanzado su límite mensual. Puedes contactarnos directamente para más información.";

const opener = (page: Page) => page.getByRole("button", { name: "Abrir el asistente virtual" });
const log = (page: Page) => page.getByRole("log");
const input = (page: Page) => page.getByLabel("Tu mensaje");
const send = (page: Page) => page.getByRole("button", { name: "Enviar mensaje" });

test.beforeEach(async ({ page }) => {
  await answer(page, site);
});

async function openChat(page: Page) {
  await page.goto("/");
  await opener(page).click();
}

test("pulses after 3 seconds and opens itself at 5, without taking the focus", async ({ page }) => {
  await stopClock(page);
  await page.goto("/");
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
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
});

test("never opens itself after it was closed", async ({ page }) => {
  await stopClock(page);
  await page.goto("/");
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

test("leaves most of a phone's screen free", async ({ page, viewport }) => {
  await openChat(page);
  const box = await page.getByRole("region", { name: "Asistente virtual" }).boundingBox();
  if (!box || !viewport) throw new Error("no panel");
  if (viewport.width < 640) expect(box.height).toBeLessThanOrEqual(0.6 * viewport.height + 1);
});

test("sends with Enter, not with Shift+Enter, and nothing that is empty", async ({ page }) => {
  const sent: Record<string, unknown>[] = [];
  await answer(page, {
    chat: async (route) => {
      sent.push(route.request().postDataJSON());
      await json({ response: "Llame al [consultorio](tel:+5072000101). <b>Gracias</b>" })(route);
    },
  });
  await openChat(page);
  await expect(send(page)).toBeDisabled();
  await input(page).fill("   ");
  await input(page).press("Enter");
  await expect(send(page)).toBeDisabled();
  await input(page).fill("hola");
  await input(page).press("Shift+Enter");
  await expect(input(page)).toHaveValue("hola\n");
  await input(page).press("Enter");
  await expect(input(page)).toHaveValue("");
  await expect(log(page)).toContainText("Llame al consultorio. <b>Gracias</b>");
  await expect(log(page).getByRole("link", { name: "consultorio" })).toHaveAttribute(
    "href",
    "tel:+5072000101",
  );
  await input(page).fill("¿y mañana?");
  await send(page).click();
  await expect(() => expect(sent).toHaveLength(2)).toPass();
  const [first, second] = sent;
  const uuid = /^[0-9a-f-]{36}$/;
  expect(first).toMatchObject({ message: "hola", conversationHistory: [] });
  expect(first?.sessionId).toMatch(uuid);
  expect(first?.messageId).toMatch(uuid);
  expect(second?.sessionId).toBe(first?.sessionId);
  expect(second?.messageId).not.toBe(first?.messageId);
  expect(second?.conversationHistory).toHaveLength(2);
});

test("is busy while a reply is pending and keeps the focus", async ({ page }) => {
  await answer(page, { chat: silence });
  await openChat(page);
  await input(page).fill("hola");
  await input(page).press("Enter");
  await expect(page.getByTestId("typing")).toBeVisible();
  await expect(input(page)).toBeDisabled();
  await expect(send(page)).toBeDisabled();
  await expect(input(page)).toBeFocused();
  await input(page).press("x");
  await expect(input(page)).toHaveValue("");
  await expectAccessible(page);
});

for (const [name, reply] of [
  ["429", failure(429)],
  ["limitReached", failure(503, { limitReached: true })],
] as const) {
  test(`closes 3 seconds after the limit message: ${name}`, async ({ page }) => {
    await answer(page, { chat: reply });
    await stopClock(page);
    await page.goto("/");
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
    await expectAccessible(page);
    await page.getByRole("button", { name: "Cerrar aviso" }).click();
    await expect(page.getByText(limitMessage)).toHaveCount(0);
  });
}

test("offers the booking link in difficulties, and a safe second try", async ({ page }) => {
  const ids: unknown[] = [];
  await answer(page, {
    chat: async (route) => {
      ids.push(route.request().postDataJSON().messageId);
      await failure(502)(route);
    },
  });
  await openChat(page);
  await input(page).fill("hola");
  await input(page).press("Enter");
  await expect(log(page)).toContainText("dificultades técnicas");
  const link = log(page).getByRole("link", { name: /Agendar una cita/ });
  await expect(link).toHaveAttribute("href", /^https:/);
  await expect(link).toHaveAttribute("target", "_blank");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Reintentar" }).click();
  await expect(() => {
    expect(ids).toHaveLength(2);
    expect(ids[1]).toBe(ids[0]);
  }).toPass();
});

test("is not there when the month's limit is reached, and asks every 5 minutes", async ({
  page,
}) => {
  let limitReached = true;
  let asked = 0;
  await answer(page, {
    status: async (route) => {
      asked += 1;
      await json({ limitReached })(route);
    },
  });
  await stopClock(page);
  await page.goto("/");
  await expect(async () => {
    await page.clock.runFor(100);
    expect(asked).toBe(1);
  }).toPass();
  await page.clock.runFor(6000);
  await expect(page.getByRole("complementary", { name: "Asistente virtual" })).toHaveCount(0);
  limitReached = false;
  await page.clock.runFor(5 * 60 * 1000);
  await expect(() => expect(asked).toBe(2)).toPass();
  await page.clock.runFor(10);
  await expect(page.getByRole("complementary", { name: "Asistente virtual" })).toBeVisible();
});

test("is there when the status cannot be asked", async ({ page }) => {
  await answer(page, { status: failure(503) });
  await page.goto("/");
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
