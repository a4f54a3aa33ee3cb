/** The chat on a phone, where its panel covers the page. */
import { answer, json, linkClinic, site } from "./answers";
import { input, log, openChat, opener, quietPage, send, widget } from "./chatPanel";
import { expect, expectAccessible, stopClock, test, tickUntil } from "./test";

test.beforeEach(async ({ page }) => {
  await answer(page, site);
});

test("goes back to the page before it leaves that", async ({ page }) => {
  await page.goto("/about");
  await page.locator(`main a[href="${quietPage}"]`).first().click();
  await expect(page).toHaveURL(new RegExp(`${quietPage}$`));
  await opener(page).click();
  await expect(log(page)).toBeVisible();
  await page.goBack();
  await expect(log(page)).toHaveCount(0);
  await expect(page).toHaveURL(new RegExp(`${quietPage}$`));
  await page.goBack();
  await expect(page).toHaveURL(/\/about$/);
});

test("leaves no trace in the history where it was closed by its button", async ({ page }) => {
  await page.goto("/about");
  await page.locator(`main a[href="${quietPage}"]`).first().click();
  await opener(page).click();
  await page.getByRole("button", { name: "Cerrar el asistente virtual" }).click();
  await expect(opener(page)).toBeFocused();
  await page.goBack();
  await expect(page).toHaveURL(/\/about$/);
});

test("gives way to the page of a link in it", async ({ page }) => {
  await openChat(page);
  await log(page).getByRole("link", { name: "Privacidad" }).click();
  await expect(page).toHaveURL(/\/privacidad$/);
  await expect(log(page)).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  // The same page once more: it is seen, too.
  await opener(page).click();
  await log(page).getByRole("link", { name: "Privacidad" }).click();
  await expect(log(page)).toHaveCount(0);
});

test("gives way to the page of a link in it where nobody opened it", async ({ page }) => {
  await stopClock(page);
  await page.goto(quietPage);
  await tickUntil(page, opener(page));
  await page.clock.runFor(6000);
  await page.clock.resume();
  await log(page).getByRole("link", { name: "Privacidad" }).click();
  await expect(page).toHaveURL(/\/privacidad$/);
  await expect(log(page)).toHaveCount(0);
  await page.goBack();
  await expect(page).toHaveURL(new RegExp(`${quietPage}$`));
});

test("waits with opening itself while somebody writes", async ({ page }) => {
  await stopClock(page);
  await page.goto("/contact");
  await tickUntil(page, opener(page));
  const name = page.getByLabel("Nombre");
  await name.focus();
  await page.clock.runFor(6000);
  await expect(log(page)).toHaveCount(0);
  await name.fill("Ana");
  await name.blur();
  await page.clock.runFor(6000);
  await expect(log(page)).toHaveCount(0);
  await name.fill("");
  await name.blur();
  await page.clock.runFor(6000);
  await expect(log(page)).toBeVisible();
});

for (const [width, height] of [
  [320, 568],
  [360, 640],
  [390, 844],
] as const) {
  test(`opens itself with its notices and all quick replies in reach at ${width}×${height}`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height });
    await stopClock(page);
    await page.goto(quietPage);
    await tickUntil(page, opener(page));
    await page.clock.runFor(6000);
    const panel = page.getByRole("region", { name: "Asistente virtual" });
    for (const part of [
      panel.getByText("conforme a la Ley 81 de 2019"),
      panel.getByRole("button", { name: "Tengo dolor" }),
      panel.getByText("Responde un asistente automático"),
    ])
      await expect(part).toBeInViewport({ ratio: 1 });
    const bar = await page.getByRole("banner").locator(".sticky").boundingBox();
    const top = (await panel.boundingBox())?.y ?? 0;
    expect(top).toBeGreaterThanOrEqual((bar?.y ?? 0) + (bar?.height ?? 0));
  });
}

test("says while typing that a message is too long, and sends none", async ({ page }) => {
  await openChat(page);
  await input(page).fill("a".repeat(901));
  const count = page.getByText("901 / 1000");
  await expect(count).toBeVisible();
  await input(page).fill("a".repeat(1001));
  await expect(page.getByText("demasiado largo: 1001 de 1000 caracteres")).toBeVisible();
  await expect(send(page)).toHaveAttribute("aria-disabled", "true");
  await input(page).press("Enter");
  await expect(input(page)).toHaveValue("a".repeat(1001));
  await expectAccessible(page, page.locator('aside[aria-label="Asistente virtual"]'));
  await input(page).fill("a".repeat(1000));
  await expect(send(page)).toHaveAttribute("aria-disabled", "false");
});

test("says until when a connection waits for another conversation", async ({ page }) => {
  linkClinic(page);
  const problem = { message: "No.", requestId: "r", code: "tooManyConversations" };
  const refusal = json(problem, 503, { "Retry-After": "1800" });
  await answer(page, { chat: refusal });
  await openChat(page);
  await input(page).fill("hola");
  await input(page).press("Enter");
  await expect(log(page)).toContainText(/Desde las \d\d:\d\d puedes intentarlo de nuevo/);
  await expect(log(page).getByRole("link", { name: /formulario/ })).toHaveAttribute(
    "href",
    /\/contact$/,
  );
});

test("says that there is no connection", async ({ page, context }) => {
  await answer(page, { chat: (route) => route.abort("internetdisconnected") });
  await openChat(page);
  await input(page).fill("hola");
  await context.setOffline(true);
  await input(page).press("Enter");
  await expect(log(page)).toContainText("Parece que no tienes conexión a internet. Lo siento");
});

test("says that a conversation was erased, and when each message was sent", async ({ page }) => {
  await answer(page, {
    conversation: json({ sessionId: "s", messages: [] }),
    conversationErase: (route) => route.fulfill({ status: 204 }),
  });
  await openChat(page);
  await input(page).fill("hola");
  await input(page).press("Enter");
  await expect(log(page).getByRole("time")).toHaveCount(2);
  await page.getByRole("button", { name: "Opciones del chat" }).click();
  await page.getByRole("menuitem", { name: "Borrar esta conversación" }).click();
  await page.getByRole("button", { name: "Sí, borrarla" }).click();
  await expect(log(page)).toContainText("La conversación anterior se borró.");
  await expect(log(page)).not.toContainText("hola");
  await expect(page.getByRole("button", { name: "¿Cuál es el horario?" })).toBeVisible();
});

test("asks what was wrong with an answer that was no help", async ({ page }) => {
  const told: { rating: string; reason?: string }[] = [];
  await answer(page, {
    chat: json({ response: "Abrimos a las 8.", messageId: "m1" }),
    rating: async (route) => {
      told.push(route.request().postDataJSON());
      await route.fulfill({ status: 204 });
    },
  });
  await openChat(page);
  await input(page).fill("¿Abren el domingo?");
  await input(page).press("Enter");
  const thumb = log(page).getByRole("button", { name: "No me sirvió" });
  await thumb.click();
  const why = log(page).getByRole("group", { name: "¿Por qué no te sirvió?" });
  await expect(why.getByRole("button")).toHaveText([
    "No es lo que pregunté",
    "Falta información",
    "No es correcta",
  ]);
  await expect(why).toBeInViewport({ ratio: 1 });
  const missing = why.getByRole("button", { name: "Falta información" });
  await missing.click();
  await expect(missing).toHaveAttribute("aria-pressed", "true");
  await expectAccessible(page, page.locator(widget));
  await thumb.click();
  await expect(why).toHaveCount(0);
  // The box goes before the call arrives.
  await expect
    .poll(() => told.map(({ rating, reason }) => [rating, reason]))
    .toEqual([
      ["negative", undefined],
      ["negative", "incomplete"],
      ["none", undefined],
    ]);
});
