import { ana, entries } from "./accountAnswers";
import { answer, dashboard, failure, json, neverAnswers, owner, site, user } from "./answers";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./test";

test.beforeEach(async ({ page }) => {
  await answer(page, {
    ...site,
    ...dashboard,
    user: json(owner),
    accounts: json([
      {
        id: "1",
        email: ana,
        role: "owner",
        sessions: 1,
        createdAt: "2026-03-02T15:00:00.000Z",
        secondFactor: false,
      },
    ]),
    audit: json(entries),
    sessions: json([]),
  });
});

test("tells who did what", async ({ page }) => {
  await page.goto("/dashboard/cuenta");
  await page.getByRole("link", { name: "Actividad" }).click();
  await expect(page).toHaveTitle(/^Actividad/);
  await expect(page.getByLabel("Cuenta").locator("option")).toHaveCount(5);
  const rows = page.getByRole("main").getByRole("listitem");
  await expect(rows).toHaveCount(7);
  await expect(rows.nth(0)).toContainText("Cambió un permiso");
  await expect(rows.nth(0)).toContainText(
    `${ana} · Cuenta: luis@clinica.example · Permiso: Solo cifras`,
  );
  await expect(rows.nth(0)).toContainText("20 nov 2026, 10:41");
  await expect(rows.nth(2)).toContainText("Nombre sin cuenta");
  await expect(rows.nth(3)).toContainText("Línea de comandos · Cuenta: una cuenta eliminada");
  await expect(rows.nth(4)).toContainText("Filas: mensajes · Formato: csv");
  await expect(rows.nth(5)).toContainText(`${ana} · 12 contactos leídos`);
  await expect(rows.nth(6)).toContainText("SomethingNew");
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
});

test("leads to the conversation that was read", async ({ page }) => {
  await page.goto("/dashboard/actividad");
  await expect(page.getByRole("main")).not.toContainText("largo");
  await page.getByRole("link", { name: "Conversación", exact: true }).click();
  await expect(page).toHaveURL(/\/dashboard\?conversacion=c-(largo)+$/);
  await expect(page.getByRole("dialog").getByRole("listitem").first()).toBeVisible();
});

test("asks for what is chosen, and for more", async ({ page }) => {
  const asked: URLSearchParams[] = [];
  await answer(page, {
    audit: (route) => {
      const { searchParams } = new URL(route.request().url());
      asked.push(searchParams);
      const more = !searchParams.has("cursor") && searchParams.has("endDate");
      const next = `</api/audit?${searchParams}&cursor=17-5>; rel="next"`;
      return route.fulfill({ json: entries, headers: more ? { Link: next } : {} });
    },
  });
  await page.goto("/dashboard/actividad");
  await page.getByLabel("Cuenta").selectOption(ana);
  await page.getByLabel("Suceso").selectOption("Exportó datos");
  await page.getByLabel("Desde").fill("2026-11-01");
  await page.getByLabel("Hasta").fill("2026-11-15");
  await page.getByRole("button", { name: "Cargar más" }).press("Enter");
  await expect(page.getByRole("button", { name: "Cargar más" })).toHaveCount(0);
  const filters = {
    account: "1",
    what: "ExportTaken",
    startDate: "2026-11-01",
    endDate: "2026-11-15",
  };
  expect(Object.fromEntries(asked[0] ?? [])).toEqual({});
  expect(Object.fromEntries(asked.at(-2) ?? [])).toEqual(filters);
  expect(Object.fromEntries(asked.at(-1) ?? [])).toEqual({ ...filters, cursor: "17-5" });
});

test("says what does not come, and that there is nothing", async ({ page }) => {
  await answer(page, { audit: neverAnswers });
  await page.goto("/dashboard/actividad");
  await expect(page.getByRole("status", { name: "Cargando la actividad" })).toBeVisible();
  await answer(page, { audit: failure(503) });
  await page.reload();
  await expect(page.getByRole("alert")).toContainText("No se pudo cargar la actividad.");
  await expectAccessible(page);
  await answer(page, { audit: json([]) });
  await page.getByRole("button", { name: "Reintentar" }).click();
  await expect(page.getByText("No hay nada en este período con estos filtros.")).toBeVisible();
});

test("is for owners", async ({ page }) => {
  await answer(page, { user: json(user) });
  await page.goto("/dashboard/actividad");
  await expect(page).toHaveURL(/\/dashboard$/);
});
