/** From a question without an answer to an answer that is taught and taken back, on a real server. */
import type { Browser } from "@playwright/test";
import { expect, expectAccessible, expectNoSidewaysScroll, signIn, test } from "./test";

/** Asks in the site's chat as somebody who was never there, and gives the reply. */
async function ask(browser: Browser, question: string): Promise<string> {
  const page = await browser.newPage();
  await page.goto("/");
  await page.getByRole("button", { name: "Abrir el asistente virtual" }).click();
  const bubbles = page.getByRole("log").locator("[data-from]");
  await expect(bubbles.first()).toBeVisible();
  await page.getByLabel("Tu mensaje").fill(question);
  await page.getByLabel("Tu mensaje").press("Enter");
  await expect(bubbles).toHaveCount(3);
  const reply = (await bubbles.last().textContent()) ?? "";
  await page.close();
  return reply;
}

test("what was unanswered is taught, tried, published and taken back", async ({
  page,
  browser,
}) => {
  const question = "¿tienen dispensador de agua filtrada?";
  const taught = "El dispensador de agua está junto a la recepción";
  expect(await ask(browser, question)).not.toContain(taught);

  await signIn(page);
  await page.goto("/dashboard?vista=preguntas&ambito=todo&buscar=dispensador");
  const row = page.getByRole("tabpanel").getByRole("listitem").filter({ hasText: question });
  await expect(async () => {
    await page.reload();
    await expect(row).toBeVisible({ timeout: 3000 });
  }).toPass();
  await row.getByRole("link", { name: /^Enseñar respuesta/ }).click();

  await expect(page.getByRole("textbox", { name: "Preguntas" })).toHaveValue(
    /dispensador de agua filtrada/,
  );
  await page.getByRole("textbox", { name: "Preguntas" }).fill(`${question}\nhay agua para beber`);
  await page.getByLabel("Título").fill(`Agua filtrada ${Date.now()}`);
  await page.getByLabel("Tema").selectOption("clinica");
  const text = page.getByLabel("Respuesta", { exact: true });
  await text.fill(`${taught}. Llame al 200-0101.`);
  await page.getByRole("button", { name: "Probar con las preguntas" }).click();
  await expect(page.getByText("«200-0101» está escrito tal cual")).toBeVisible();
  await text.fill(`${taught}. Más en el `);
  await page.getByText("Datos de la clínica").click();
  await page.getByRole("button", { name: /^Poner \{\{phones\}\}/ }).click();
  await expect(text).toHaveValue(/\{\{phones\}\}$/);
  await expect(page.locator("output")).toContainText(/Más en el \+507/);
  await page.getByRole("button", { name: "Probar con las preguntas" }).click();
  const preview = page.getByRole("region", { name: "Qué cambiaría" });
  await expect(preview.getByText(/Ahora tendrían respuesta [1-9]/)).toBeVisible();
  await expect(preview.getByRole("listitem").filter({ hasText: question })).toContainText(taught);
  await expectAccessible(page);
  await page.getByLabel("Motivo").fill("Lo preguntan en recepción.");
  await page.getByRole("button", { name: "Publicar" }).click();
  await expect(page).toHaveURL(/\/dashboard\/respuestas$/);
  const published = page.getByRole("listitem").filter({ hasText: taught }).first();
  await expect(published).toContainText("Publicada, versión 1");
  await published.getByText("1 versión").click();
  await expect(published).toContainText("Lo preguntan en recepción.");
  await expectAccessible(page);

  expect(await ask(browser, question)).toContain(taught);
  await published.getByRole("button", { name: /^Deshacer/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Deshacer" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Falta.");
  await dialog.getByLabel("Motivo").fill("Se quitó.");
  await expectAccessible(page, page.locator("dialog"));
  await dialog.getByRole("button", { name: "Deshacer" }).click();
  await expect(published).toContainText("Deshecha");
  expect(await ask(browser, question)).not.toContain(taught);

  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoSidewaysScroll(page);
  }
});
