import type { Page } from "@playwright/test";
import { answer, dashboard, failure, json, list, neverAnswers, site } from "./answers";
import { contacts, person } from "./contactAnswers";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./test";

const address = "/dashboard?vista=contactos";

test.beforeEach(async ({ page }) => {
  await answer(page, { ...site, ...dashboard, contacts: list(contacts(3)), person: json(person) });
});

async function opened(page: Page) {
  await page.goto(address);
  await page.getByRole("button", { name: "Sus datos" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Datos de Persona 0" });
  await expect(dialog.getByRole("listitem")).toHaveCount(2);
  return dialog;
}

test("shows what is kept of a person, and how it was found", async ({ page }) => {
  const dialog = await opened(page);
  const [message, conversation] = await dialog.getByRole("listitem").all();
  await expect(message ?? dialog).toContainText("Mensaje del formulario · 20 nov 2026, 17:50");
  await expect(message ?? dialog).toContainText("por el teléfono");
  await expect(conversation ?? dialog).toContainText("12 textos · 1 cita · 2 notas");
  await expect(dialog.getByRole("link", { name: "Descargar para leer" })).toHaveAttribute(
    "href",
    "/api/dashboard/contacts/lead/k0/person/copy?format=html",
  );
  await expectNoSidewaysScroll(page);
});

test("restricts a person, and ends that", async ({ page }) => {
  const sent: unknown[] = [];
  await answer(page, {
    async restriction(route) {
      sent.push(route.request().postDataJSON());
      const [first, ...others] = contacts(3);
      await answer(page, { contacts: list([{ ...first, restricted: true }, ...others]) });
      await json(person)(route);
    },
  });
  const dialog = await opened(page);
  await dialog.getByRole("button", { name: "Restringir" }).click();
  await expect(page.getByText("Sus datos quedaron restringidos")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Quitar la restricción" })).toBeVisible();
  await dialog.getByRole("button", { name: "Cerrar" }).click();
  await expect(page.getByRole("article").first()).toContainText(
    "Restringido por pedido de la persona",
  );
  expect(sent).toEqual([{ on: true }]);
  await expectAccessible(page);
});

test("erases a person once the name was typed", async ({ page }) => {
  const sent: unknown[] = [];
  const wrong = "Lo escrito no es el nombre del contacto: no se borró nada.";
  await answer(page, { erasure: failure(400, { message: wrong }) });
  const dialog = await opened(page);
  await expect(dialog.getByText("Tiene una cita el 24 nov 2026, 10:00.")).toBeVisible();
  const field = dialog.getByRole("textbox", { name: "Para confirmar, escriba: Persona 0" });
  await field.fill("Persona");
  await dialog.getByRole("button", { name: "Borrar para siempre" }).click();
  await expect(dialog.getByRole("alert")).toContainText(`${wrong} Referencia: r-1`);
  await expect(field).toHaveValue("Persona");
  await expectAccessible(page, dialog);

  await answer(page, {
    async erasure(route) {
      sent.push(route.request().postDataJSON());
      const [first, ...others] = contacts(3);
      const gone = { ...first, name: undefined, phone: undefined, erased: true };
      await answer(page, { contacts: list([gone, ...others]) });
      await json({
        records: 2,
        cancelled: 1,
        waiting: [],
        erasedAt: "2026-11-20T23:41:00Z",
        provableBy: "2026-11-21T23:41:00Z",
      })(route);
    },
  });
  await field.fill("Persona 0");
  await field.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(page.getByText("Sus datos se borraron", { exact: true })).toBeVisible();
  await expect(page.getByText(/^Desde el 21 nov 2026, 18:41/)).toBeVisible();
  await expect(page.getByRole("article").first()).toContainText("se borraron a petición suya");
  expect(sent).toEqual([{ confirmation: "Persona 0", cancelAppointments: true, only: false }]);
});

test("says when it cannot be found, and can be asked again", async ({ page }) => {
  await answer(page, { person: neverAnswers });
  await page.goto(address);
  await page.getByRole("button", { name: "Sus datos" }).first().click();
  await expect(page.getByRole("status", { name: "Buscando sus datos" })).toBeVisible();
  await expectAccessible(page, page.getByRole("dialog"));
  await answer(page, { person: failure(503) });
  await page.reload();
  await page.getByRole("button", { name: "Sus datos" }).first().click();
  await expect(page.getByText("No se pudo buscar lo que se guarda de esta persona.")).toBeVisible();
  await answer(page, { person: json(person) });
  await page.getByRole("button", { name: "Reintentar" }).click();
  await expect(page.getByRole("dialog").getByRole("listitem")).toHaveCount(2);
});
