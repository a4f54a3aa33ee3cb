import type { Page } from "@playwright/test";
import {
  answer,
  conversations,
  dashboard,
  failure,
  json,
  messages,
  neverAnswers,
  site,
} from "./answers";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./test";

test.beforeEach(async ({ page }) => {
  await answer(page, { ...site, ...dashboard });
});

test.describe("a transcript", () => {
  const [, , , , booked] = conversations(5);
  const long = Array.from({ length: 24 }, (_, index) => ({
    id: `m${index}`,
    message: index % 10 === 9 ? "¿Y los SÁBADOS? https://sabados.example/" : "Claro que sí.",
    isUser: index % 2 === 1,
    timestamp: "2026-11-20T23:12:00Z",
  }));
  const open = async (page: Page, row = 4) => {
    await page.goto("/dashboard");
    await page.getByRole("button", { name: "Ver detalles" }).nth(row).click();
  };

  test("shows every message as text", async ({ page }) => {
    await open(page);
    const dialog = page.getByRole("dialog", { name: `Conversación #${booked?.id}` });
    await expect(dialog).toContainText("Historial completo de mensajes · 20 nov 2026, 15:44");
    const items = dialog.getByRole("listitem");
    await expect(items).toHaveCount(4);
    await expect(items.nth(0)).toContainText("Usuario · 18:12");
    await expect(items.nth(1)).toContainText("Bot (bitacora-embedded-1) · 18:12");
    await expect(items.nth(3)).toContainText("Bot · 18:13");
    await expect(items.nth(3)).toContainText("Valorada como no útil: falta información");
    await expect(dialog.getByTestId("message-text").nth(2)).toHaveText(messages[2]?.message ?? "");
    await expect(dialog.getByRole("link")).toHaveCount(1);
    await expect(dialog.getByText("Lead Generado")).toBeVisible();
    await expect(dialog.getByText("Cita Agendada")).toBeVisible();

    const history = dialog.getByTestId("history");
    expect((await history.boundingBox())?.height).toBe(500);
    const [user, bot] = [await items.nth(0).boundingBox(), await items.nth(1).boundingBox()];
    const area = await history.boundingBox();
    if (!user || !bot || !area) throw new Error("nothing to measure");
    expect(area.x + area.width - (user.x + user.width)).toBeLessThan(30);
    expect(bot.x - area.x).toBeLessThan(30);
    await expectNoSidewaysScroll(page);
  });

  test("marks what was searched for, and begins at the first hit", async ({ page }) => {
    await answer(page, { messages: json(long) });
    await page.goto("/dashboard?buscar=sabados");
    await page.getByRole("button", { name: "Ver detalles" }).first().click();
    const hits = page.getByTestId("history").locator("mark");
    await expect(hits).toHaveText(["SÁBADOS", "sabados", "SÁBADOS", "sabados"]);
    await expect(hits.nth(0)).toBeInViewport();
    await expect(hits.nth(2)).not.toBeInViewport();
    // The dialog itself has not moved.
    const dialog = page.getByRole("dialog");
    expect(await dialog.evaluate((element) => element.scrollTop)).toBe(0);
    await expectAccessible(page, dialog);
    // A transcript that is there already begins at the same place.
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await page.getByRole("button", { name: "Ver detalles" }).first().click();
    await expect(hits.nth(0)).toBeInViewport();
    await page.goto("/dashboard?buscar=sabados&vista=contactos&conversacion=c1");
    await expect(page.getByTestId("history").getByRole("listitem")).toHaveCount(24);
    await expect(hits).toHaveCount(0);
  });

  test("is printed in full", async ({ page }) => {
    await answer(page, { messages: json(long) });
    await open(page);
    const history = page.getByTestId("history");
    await expect(history.getByRole("listitem")).toHaveCount(24);
    await page.emulateMedia({ media: "print" });
    const hidden = await history.evaluate((area) => area.scrollHeight - area.clientHeight);
    expect(hidden).toBe(0);
  });

  test("keeps the focus inside and gives it back", async ({ page }) => {
    await open(page, 1);
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByText("Lead Generado")).toBeVisible();
    await expect(dialog.getByText("Cita Agendada")).toHaveCount(0);
    await expect(dialog.getByRole("button", { name: "Cerrar" })).toBeFocused();
    for (let step = 0; step < 6; step++) {
      await page.keyboard.press("Tab");
      const outside = await page.evaluate(
        () =>
          document.activeElement?.closest("dialog, body > :not(#root)") === null &&
          document.activeElement !== document.body,
      );
      expect(outside).toBe(false);
    }
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(page.getByRole("button", { name: "Ver detalles" }).nth(1)).toBeFocused();
  });

  test("holds three places while loading", async ({ page }) => {
    await answer(page, { messages: neverAnswers });
    await open(page);
    await expect(page.getByTestId("message-placeholders").locator("> div")).toHaveCount(3);
  });

  test("says when there is nothing", async ({ page }) => {
    await answer(page, { messages: json([]) });
    await open(page);
    await expect(page.getByText("No se encontraron mensajes para esta conversación")).toBeVisible();
  });

  test("can be asked for again", async ({ page }) => {
    await answer(page, { messages: failure(503) });
    await open(page);
    await expect(page.getByRole("dialog").getByRole("alert")).toBeVisible();
    await answer(page, { messages: json(messages) });
    await page.getByRole("button", { name: "Reintentar" }).click();
    await expect(page.getByRole("dialog").getByRole("listitem")).toHaveCount(4);
  });
});
