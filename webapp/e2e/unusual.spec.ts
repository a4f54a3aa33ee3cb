import { answer, dashboard, failure, json, neverAnswers, reader, site, unusual } from "./answers";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./test";

test.beforeEach(async ({ page }) => {
  await answer(page, { ...site, ...dashboard });
});

for (const [name, path] of [
  ["Hoy", "/dashboard/hoy"],
  ["Datos", "/dashboard"],
] as const) {
  test(`${name} says what is unusual, and leads to its numbers`, async ({ page }) => {
    await page.goto(path);
    const card = page.getByRole("region", { name: "Fuera de lo común" });
    await expect(card.getByRole("listitem")).toHaveText([
      /el límite de conversaciones se alcanza el 27 nov 2026\.Ver el mes$/,
      /^El límite mensual dejó fuera 52 visitas al chat en oct 2026\.Ver el mes$/,
      /^Menos conversaciones\. El 19 nov 2026 hubo 7 conversaciones\. .* de 18 a 31, con una mediana de 22\.5\.Ver el día$/,
    ]);
    await expectAccessible(page, card);
    await expectNoSidewaysScroll(page);
    await card.getByRole("link", { name: /^Ver el día/ }).focus();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/dashboard\?desde=2026-11-19&hasta=2026-11-19$/);
    await page.goto(path);
    await card.getByRole("link", { name: /^Ver el mes: El límite mensual/ }).click();
    await expect(page).toHaveURL(/\/dashboard\?desde=2026-10-01&hasta=2026-10-31$/);
  });
}

test("says that all is as usual, that a provider fails, and what does not come", async ({
  page,
}) => {
  const card = page.getByRole("region", { name: "Fuera de lo común" });
  await answer(page, { user: json(reader), unusual: json({ ...unusual, findings: [] }) });
  await page.goto("/dashboard/hoy");
  await expect(card).toContainText("Todo está como de costumbre.");
  const findings = [{ kind: "provider" as const, provider: "openai" }];
  await answer(page, { unusual: json({ ...unusual, findings }) });
  await page.reload();
  await expect(card.getByRole("listitem")).toContainText("El proveedor openai falla.");
  await card.getByRole("link", { name: /^Ver la calidad/ }).click();
  await expect(page.getByRole("heading", { name: "De qué preguntan" })).toBeVisible();
  await answer(page, { unusual: failure(500) });
  await page.goto("/dashboard/hoy");
  await expect(card).toContainText("No se pudo averiguar");
  await answer(page, { unusual: neverAnswers });
  await page.reload();
  await expect(card).toHaveAttribute("aria-busy", "true");
});
