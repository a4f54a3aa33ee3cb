/** Every journey of a visitor without a mouse. */
import type { Locator, Page } from "@playwright/test";
import { answer, json, linkClinic, site } from "./answers";
import { expect, test } from "./test";

/** Presses Tab until something has the focus, as whoever uses the keyboard would. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  for (let press = 0; press < 120; press += 1) {
    await page.keyboard.press("Tab");
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error("the focus does not get there");
}

const quiet = { ...site, status: json({ limitReached: true }) };

test("opens the menu and goes to a specialty", { tag: "@both" }, async ({ page, viewport }) => {
  await answer(page, quiet);
  await page.goto("/about");
  const header = page.getByRole("banner");
  const nav = header.getByRole("navigation");
  if ((viewport?.width ?? 0) < 1024) {
    await tabTo(page, header.locator("summary").filter({ hasText: "Abrir el menú" }));
    await page.keyboard.press("Enter");
  }
  await tabTo(page, nav.locator("summary"));
  await page.keyboard.press("Enter");
  await tabTo(page, nav.getByRole("link", { name: /^Periodoncia/ }));
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/services/periodoncia");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Periodoncia");
  await expect(page.getByRole("main")).toBeFocused();
});

test("reaches the external booking form", async ({ page }) => {
  linkClinic(page);
  await answer(page, quiet);
  await page.goto("/services/endodoncia");
  const book = page.getByRole("main").getByRole("link", { name: /Agendar una Consulta/ });
  await expect(book).toHaveAttribute("target", "_blank");
  await expect(book).toHaveAttribute("href", /^https:/);
  await tabTo(page, book);
});

test("writes to the clinic", async ({ page }) => {
  const sent: unknown[] = [];
  await answer(page, {
    ...quiet,
    contact: async (route) => {
      sent.push(route.request().postDataJSON());
      await route.fulfill({ status: 204 });
    },
  });
  await page.goto("/contact");
  await tabTo(page, page.getByLabel("Nombre"));
  await page.keyboard.type("Ana");
  await page.keyboard.press("Tab");
  await page.keyboard.type("ana@correo.example");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.type("Quisiera una cita");
  await tabTo(page, page.getByRole("button", { name: "Enviar Mensaje" }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "¡Gracias!" })).toBeFocused();
  expect(sent).toEqual([
    { name: "Ana", email: "ana@correo.example", message: "Quisiera una cita" },
  ]);
});

test("talks to the assistant", async ({ page }) => {
  await answer(page, site);
  await page.goto("/blog");
  const open = page.getByRole("button", { name: "Abrir el asistente virtual" });
  await expect(open).toBeVisible();
  await open.focus();
  await page.keyboard.press("Enter");
  const panel = page.locator("#chat-panel");
  await expect(panel.getByRole("textbox")).toBeFocused();
  await page.keyboard.type("¿A qué hora abren?");
  await page.keyboard.press("Enter");
  await expect(panel.getByText("Atendemos de lunes a viernes.")).toBeVisible();
  await expect(panel.getByRole("textbox")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();
  await expect(open).toBeFocused();
});
