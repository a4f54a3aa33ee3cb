/** The page about personal data, and how a visitor erases alone. */
import type { Page } from "@playwright/test";
import { answer, json, site } from "./answers";
import { input, log, openChat, widget } from "./chatPanel";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./test";

const notice = {
  version: "2026-11-22",
  title: "Privacidad y tus datos",
  description: "Qué se sabe de ti.",
  content: "<h2>Quién responde por tus datos</h2><p>La clínica.</p>",
};

test.beforeEach(async ({ page }) => {
  await answer(page, { ...site, privacy: json(notice) });
});

async function say(page: Page, text: string): Promise<void> {
  await input(page).fill(text);
  await input(page).press("Enter");
  await expect(log(page).getByText("Atendemos de lunes a viernes.").last()).toBeVisible();
}

test("tells what becomes of personal data", async ({ page }) => {
  await page.goto("/privacidad");
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { level: 1 })).toHaveText(notice.title);
  await expect(main).toContainText("no se envía a ningún proveedor");
  await expect(main).toContainText("2026-11-22");
  await expect(main.getByRole("button", { name: "Borrar mis conversaciones" })).toBeVisible();
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoSidewaysScroll(page);
  await expect(
    page.getByRole("contentinfo").getByRole("link", { name: "Privacidad" }),
  ).toHaveAttribute("href", "/privacidad");
});

test("names who runs a language model", async ({ page }) => {
  await answer(page, { privacy: json({ ...notice, modelOperator: "Anthropic" }) });
  await page.goto("/privacidad");
  await expect(page.getByRole("main")).toContainText("un modelo de lenguaje de Anthropic");
});

test("erases the conversation from its menu", async ({ page }) => {
  const erased: unknown[] = [];
  await answer(page, {
    conversation: json({
      sessionId: "s",
      messages: [],
      appointment: "2026-11-24T15:00:00.000Z",
    }),
    conversationErase: (route) => {
      erased.push(route.request().postDataJSON());
      return route.fulfill({ status: 204 });
    },
  });
  await openChat(page);
  const panel = page.locator(widget);
  await say(page, "Probando");
  await panel.getByRole("button", { name: "Opciones del chat" }).click();
  await page.getByRole("menuitem", { name: "Borrar esta conversación" }).click();
  const dialog = page.getByRole("dialog", { name: "¿Borrar esta conversación?" });
  await expect(dialog).toContainText("Se cancela también tu cita del 24 nov 2026, 10:00.");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Cancelar" }).click();
  await expect(panel.getByText("Probando")).toBeVisible();
  await panel.getByRole("button", { name: "Opciones del chat" }).click();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Sí, borrarla" }).click();
  await expect(dialog).toBeHidden();
  await expect(panel.getByText("Probando")).toHaveCount(0);
  expect(erased).toMatchObject([{ appointments: ["2026-11-24T15:00:00.000Z"] }]);
  await say(page, "De nuevo");
});

test("says that it could not be erased", async ({ page }) => {
  await answer(page, { conversationErase: (route) => route.fulfill({ status: 409, body: "{}" }) });
  await openChat(page);
  await say(page, "Probando");
  await page.locator(widget).getByRole("button", { name: "Opciones del chat" }).click();
  await page.getByRole("menuitem", { name: "Borrar esta conversación" }).click();
  await page.getByRole("button", { name: "Sí, borrarla" }).click();
  await expect(page.getByRole("alert")).toContainText("No se pudo borrar");
  await expect(page.locator(widget).getByText("Probando")).toBeVisible();
});

test("learns what another tab erased", async ({ page, context }) => {
  await openChat(page);
  await say(page, "Probando");
  const other = await context.newPage();
  await answer(other, { ...site, privacy: json(notice) });
  await other.goto("/privacidad?borrado=1");
  await expect(other.getByRole("heading", { name: "Listo, se borró" })).toBeVisible();
  await expect(page.locator(widget).getByText("Probando")).toHaveCount(0);
});
