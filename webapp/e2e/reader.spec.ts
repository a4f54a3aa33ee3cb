import { answer, dashboard, failure, json, reader, receptionist, site } from "./answers";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./test";

/** What is refused to an account that sees numbers alone. */
const aboutPeople =
  /dashboard\/(conversations|conversation\/|contacts|questions|answer|export)|accounts(\/|$)/;

test("shows a reader numbers, and asks for nobody's conversations or contacts", async ({
  page,
}) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await answer(page, {
    ...site,
    ...dashboard,
    user: json(reader),
    conversations: failure(403),
    contacts: failure(403),
    contactCounts: failure(403),
    questions: failure(403),
    messages: failure(403),
  });
  await page.goto("/dashboard?vista=contactos&conversacion=c-1");
  await expect(page.getByRole("tab")).toHaveText(["Analíticas"]);
  await expect(page.getByRole("heading", { name: "De qué preguntan" })).toBeVisible();
  await expect(page.getByText("Conversaciones Totales")).toBeVisible();
  await expect(page.getByText("Límite Mensual de Conversaciones")).toBeVisible();
  await expect(page.getByText("1,284").or(page.getByText("1284")).first()).toBeVisible();
  // No number leads to conversations; the chart's table still leads into its days.
  await expect(page.getByRole("button", { name: /^Ver [0-9]/ })).toHaveCount(0);
  await page.getByRole("button", { name: "Ver datos en tabla" }).click();
  await page.locator("figure tbody button").first().click();
  await expect(page).toHaveURL(/desde=/);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  expect(asked.filter((url) => aboutPeople.test(url))).toEqual([]);
});

test("takes conversations away from an account that becomes a reader", async ({ page }) => {
  await answer(page, { ...site, ...dashboard });
  await page.goto("/dashboard");
  await expect(page.getByRole("tab", { name: "Conversaciones" })).toBeVisible();
  await answer(page, { user: json(reader), messages: failure(403) });
  await page.getByRole("button", { name: "Ver detalles" }).first().click();
  await expect(page.getByRole("tab")).toHaveText(["Analíticas"]);
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("shows the reception people, and nothing that takes their data away", async ({ page }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await answer(page, { ...site, ...dashboard, user: json(receptionist) });
  await page.goto("/dashboard?vista=contactos");
  const contact = page.getByRole("main").getByRole("listitem").first();
  await expect(contact).toBeVisible();
  await expect(page.getByRole("link", { name: "Exportar CSV" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Sus datos" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Marcar como atendida" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: /^Solicitudes/ })).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole("tab", { name: "Conversaciones" }).click();
  await expect(page.getByRole("button", { name: "Ver detalles" }).first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Exportar" })).toHaveCount(0);
  const places = page.getByRole("navigation").getByRole("link");
  await expect(places).toHaveText(["Hoy", "Bandeja", "Agenda", "Datos", "Respuestas", "Mi cuenta"]);
  for (const path of ["/dashboard/cuentas", "/dashboard/actividad"]) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/dashboard$/);
  }
  expect(asked.filter((path) => /accounts|audit|export|person|requests/.test(path))).toEqual([]);
});
