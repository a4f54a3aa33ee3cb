import { answer, site } from "./answers";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./test";

test.beforeEach(async ({ page }) => {
  await answer(page, site);
});

test("presents the clinic", async ({ page }) => {
  await page.goto("/");
  await expect(page).toHaveTitle(/Ciudad de Panamá/);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const visit = page.locator("#visitenos");
  await expect(visit).toContainText("Vía España, Edificio Plaza Regency");
  await expect(visit.locator('a[href^="tel:+507"]')).toHaveCount(2);
  await expect(visit.locator('a[href^="mailto:"]')).toHaveCount(1);
  await expect(visit.getByRole("table", { name: /Horario de atención/ })).toContainText("Domingo");
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
});

test("books in a new tab and says so", async ({ page }) => {
  await page.goto("/");
  const book = page
    .getByRole("main")
    .getByRole("link", { name: /Agendar Cita/ })
    .first();
  await expect(book).toHaveAttribute("target", "_blank");
  await expect(book).toHaveAttribute("rel", "noopener noreferrer");
  await expect(book).toHaveAccessibleName(/se abre en una pestaña nueva/);
});

for (const [instant, words] of [
  ["2026-11-20T23:59:00Z", "Abierto ahora"],
  ["2026-11-21T00:00:00Z", "Cerrado ahora"],
] as const) {
  test(`is ${words} at ${instant}`, async ({ page }) => {
    await page.clock.setFixedTime(new Date(instant));
    await page.goto("/");
    await expect(page.getByText(words).first()).toBeVisible();
  });
}

test("lets the keyboard skip to the content", async ({ page }) => {
  await page.goto("/");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Saltar al contenido" })).toBeFocused();
});

test("says when a path names no page", async ({ page }) => {
  await page.goto("/no/existe");
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { name: "404 Page Not Found" })).toHaveAttribute(
    "lang",
    "en",
  );
  await expect(main).toContainText("Did you forget to add the page to the router?");
  await expectAccessible(page);
});
