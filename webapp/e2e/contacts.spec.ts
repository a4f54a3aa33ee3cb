import type { Page, Request } from "@playwright/test";
import { answer, dashboard, failure, json, list, neverAnswers, site } from "./answers";
import { contactCounts, contacts, hostile } from "./contactAnswers";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./test";

const address = "/dashboard?vista=contactos";

test.beforeEach(async ({ page }) => {
  await answer(page, { ...site, ...dashboard });
});

function rows(page: Page) {
  return page.getByRole("tabpanel").getByRole("article");
}

function statusOf(page: Page, row: number) {
  return rows(page)
    .nth(row)
    .getByRole("button", { name: /^Estado de/ });
}

/** The requests of a kind, as they come. */
function watched(page: Page, path: RegExp, method = "GET"): Request[] {
  const seen: Request[] = [];
  page.on("request", (request) => {
    if (request.method() === method && path.test(request.url())) seen.push(request);
  });
  return seen;
}

test("lists who can be reached", async ({ page }) => {
  await page.goto("/dashboard");
  const tab = page.getByRole("tab", { name: "Contactos (15 nuevos)" });
  await tab.click();
  await expect(page).toHaveURL(/vista=contactos/);
  await expect(rows(page)).toHaveCount(50);
  const lead = rows(page).nth(0);
  await expect(lead.getByRole("heading")).toContainText("Persona 0");
  await expect(lead).toContainText("20 nov 2026, 17:41");
  await expect(lead).toContainText("Le interesa: Ortodoncia");
  await expect(lead.getByRole("link", { name: "+50769001234" })).toHaveAttribute(
    "href",
    "tel:+50769001234",
  );
  await expect(lead.getByRole("link", { name: /WhatsApp/ })).toHaveAttribute(
    "href",
    "https://wa.me/50769001234",
  );
  const message = rows(page).nth(2);
  await expect(message).toContainText("Buenas, ¿atienden los sábados?");
  const ofForm = page.locator('[data-kind="message"]').first();
  await expect(ofForm.getByRole("button", { name: "Marcar cita" })).toBeVisible();
  await expect(message.getByRole("link", { name: /WhatsApp/ })).toHaveAttribute(
    "href",
    "https://wa.me/50769004321",
  );
  await expect(rows(page).nth(6)).toContainText("Cita el 24 nov 2026, 10:00");
  await expect(message.getByRole("link", { name: "persona2@example.com" })).toHaveAttribute(
    "href",
    "mailto:persona2%40example.com",
  );
  await expect(page.getByRole("link", { name: "Exportar CSV" })).toHaveAttribute(
    "href",
    /contacts\/export\?startDate=/,
  );
  await page.getByRole("button", { name: "Cargar más" }).click();
  await expect(rows(page)).toHaveCount(60);
  await expect(page.getByText("Mostrando 60 de 60")).toBeVisible();
  // People have names and questions, no numbers of the program.
  await expect(page.getByRole("tabpanel")).not.toContainText(/Sesión|\bk\d/);
});

test("is accessible with everything open", async ({ page }) => {
  await answer(page, { contacts: list([hostile, ...contacts(6)]) });
  await page.goto(address);
  await expect(rows(page)).toHaveCount(7);
  await page.getByRole("button", { name: "1 nota" }).click();
  await statusOf(page, 1).click();
  await expect(page.getByRole("menu")).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Marcar cita" }).first().click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectAccessible(page, page.getByRole("dialog"));
});

test("shows hostile texts as texts", async ({ page }) => {
  await answer(page, { contacts: list([hostile]) });
  await page.goto(address);
  const row = rows(page).first();
  await expect(row.getByRole("heading")).toContainText("<script>alert(1)</script>");
  await row.getByRole("button", { name: "Ver mensaje completo" }).click();
  await page.getByRole("button", { name: "1 nota" }).click();
  await expect(page.getByRole("region", { name: /^Notas sobre/ })).toContainText("<img src=x");
  expect(await page.locator("main img, main script").count()).toBe(0);
  for (const link of await row.getByRole("link").all()) {
    expect(await link.getAttribute("href")).toMatch(/^(mailto|tel):/);
  }
  await expectNoSidewaysScroll(page);
});

test("holds the places while loading, says when there is nothing, and can be asked again", async ({
  page,
}) => {
  await answer(page, { contacts: neverAnswers });
  await page.goto(address);
  await expect(page.getByTestId("contact-placeholders").locator("> div")).toHaveCount(5);

  await answer(page, { contacts: list([]) });
  await page.reload();
  await expect(page.getByText("No hay contactos en el período seleccionado")).toBeVisible();
  await page.getByRole("button", { name: /^Descartados/ }).click();
  await expect(page).toHaveURL(/estado=descartado/);
  await expect(page.getByText("Ningún contacto del período cumple los filtros")).toBeVisible();

  await answer(page, { contacts: failure(503) });
  await page.reload();
  await expect(page.getByText("No se pudieron cargar los contactos.")).toBeVisible();
  await answer(page, { contacts: list(contacts(2)) });
  await page.getByRole("button", { name: "Reintentar" }).click();
  await expect(rows(page)).toHaveCount(2);
});

test("asks for what the filters say", async ({ page }) => {
  const asked = watched(page, /contacts\?/);
  await page.goto(address);
  await expect(rows(page)).toHaveCount(50);
  await page.getByRole("button", { name: "Nuevos (15)" }).click();
  await page.getByRole("combobox", { name: "Origen" }).selectOption("message");
  await page.getByRole("searchbox", { name: "Buscar en los contactos" }).fill("Íñigo");
  await expect.poll(() => asked.at(-1)?.url()).toContain("q=%C3%8D%C3%B1igo");
  expect(asked.at(-1)?.url()).toContain("status=new");
  expect(asked.at(-1)?.url()).toContain("kind=message");
  expect(page.url()).toContain("estado=nuevo");
  expect(page.url()).not.toContain("igo&");
  await page.goBack();
  await expect(page.getByRole("combobox", { name: "Origen" })).toHaveValue("");
});

test("finds who left their data at another time", async ({ page }) => {
  const asked = watched(page, /contacts\?/);
  await page.goto(`${address}&desde=2026-11-20&hasta=2026-11-20`);
  await expect(rows(page)).toHaveCount(50);
  const everywhere = page.getByRole("button", { name: "De cualquier fecha" });
  await expect(everywhere).toHaveCount(0);
  await page.getByRole("searchbox", { name: "Buscar en los contactos" }).fill("9001");
  await expect.poll(() => asked.at(-1)?.url()).toContain("q=9001&allTime=true");
  await expect(everywhere).toHaveAttribute("aria-pressed", "true");
  await expectAccessible(page, everywhere);
  await everywhere.click();
  await expect.poll(() => asked.at(-1)?.url()).not.toContain("allTime");
  expect(asked.at(-1)?.url()).toContain("q=9001");
});

test.describe("the status", () => {
  test("is changed by keyboard, at once", async ({ page }) => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const sent = watched(page, /status$/, "POST");
    await answer(page, {
      async contactStatus(route) {
        await released;
        await json({
          status: "contacted",
          changedAt: "2026-11-20T23:41:00Z",
          changedBy: "recepcion@clinica.example",
        })(route);
      },
    });
    await page.goto(address);
    await statusOf(page, 0).press("Enter");
    const menu = page.getByRole("menu", { name: "Estado de Persona 0" });
    await expect(menu.getByRole("menuitemradio", { name: "Nuevo" })).toBeFocused();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect(menu).toBeHidden();
    await expect(statusOf(page, 0)).toBeFocused();
    await expect(statusOf(page, 0)).toHaveText("Contactado");
    await expect.poll(() => sent.length).toBe(1);
    expect(sent[0]?.url()).toContain("/contacts/lead/k0/status");
    release();
    await expect(rows(page).first()).toContainText("recepcion@clinica.example, 20 nov 2026, 18:41");
  });

  test("comes back when it was not taken, and the same change can be sent again", async ({
    page,
  }) => {
    const sent = watched(page, /status$/, "POST");
    await answer(page, { contactStatus: failure(503, { message: "Vuelva a intentarlo." }) });
    await page.goto(address);
    await statusOf(page, 0).click();
    await page.getByRole("menuitemradio", { name: "Descartado" }).click();
    await expect(page.getByText("No se pudo cambiar el estado de Persona 0")).toBeVisible();
    await expect(page.getByText("Vuelva a intentarlo. Referencia: r-1")).toBeVisible();
    await expect(statusOf(page, 0)).toHaveText("Nuevo");
    await answer(page, { contactStatus: json({ status: "discarded" }) });
    await page.getByRole("button", { name: "Reintentar" }).click();
    await expect(statusOf(page, 0)).toHaveText("Descartado");
    await expect.poll(() => sent.length).toBe(2);
    expect(sent[1]?.postDataJSON()).toEqual(sent[0]?.postDataJSON());
  });
});

test("keeps a note that was not taken, and takes it once", async ({ page }) => {
  const sent = watched(page, /notes$/, "POST");
  await answer(page, { contactNotes: failure(503) });
  await page.goto(address);
  await page.getByRole("button", { name: "Añadir nota" }).first().click();
  const notes = page.getByRole("region", { name: "Notas sobre Persona 0" });
  const field = notes.getByRole("textbox", { name: "Nota nueva" });
  await field.fill("Prefiere las mañanas 🌞");
  await notes.getByRole("button", { name: "Guardar nota" }).click();
  await expect(notes.getByRole("alert")).toContainText("Referencia: r-1");
  await expect(field).toHaveValue("Prefiere las mañanas 🌞");
  await expectAccessible(page, notes);

  await answer(page, {
    contactNotes: json({
      id: "n1",
      text: "Prefiere las mañanas 🌞",
      writtenAt: "2026-11-20T23:41:00Z",
      author: "ana@clinica.example",
    }),
  });
  await notes.getByRole("button", { name: "Guardar nota" }).click();
  await expect(notes.getByRole("listitem")).toContainText(
    "ana@clinica.example · 20 nov 2026, 18:41",
  );
  await expect(field).toHaveValue("");
  expect(sent[1]?.postDataJSON()).toEqual(sent[0]?.postDataJSON());
  await expect(page.getByRole("button", { name: "1 nota" })).toBeVisible();
});

test.describe("an appointment", () => {
  test("is marked in the clinic's time", async ({ page }) => {
    const sent = watched(page, /booking$/, "POST");
    await answer(page, { booking: failure(409, { message: "Esa hora ya está ocupada." }) });
    await page.goto(address);
    await page.getByRole("button", { name: "Marcar cita" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Cita de Persona 0" });
    await dialog.getByRole("button", { name: "Guardar cita" }).click();
    await expect(dialog.getByRole("alert")).toHaveText("Indique el día y la hora.");
    await dialog.getByLabel("Día").fill("2026-11-25");
    await dialog.getByLabel("Hora").fill("10:30");
    await expect(dialog.getByLabel("Especialidad")).toHaveValue("ortodoncia");
    await dialog.getByRole("button", { name: "Guardar cita" }).click();
    await expect(dialog.getByRole("alert")).toHaveText("Esa hora ya está ocupada. Referencia: r-1");
    await expectAccessible(page, dialog);

    await answer(page, {
      booking: json({
        id: "b1",
        status: "booked",
        slot: "2026-11-25T16:00:00.000Z",
        specialty: "ortodoncia",
      }),
    });
    await dialog.getByLabel("Hora").fill("11:00");
    await dialog.getByRole("button", { name: "Guardar cita" }).click();
    await expect(dialog).toBeHidden();
    expect(sent.map((request) => request.postDataJSON().slot)).toEqual([
      "2026-11-25T15:30:00.000Z",
      "2026-11-25T16:00:00.000Z",
    ]);
    await expect(statusOf(page, 0)).toHaveText("Agendado");
    await expect(rows(page).first()).toContainText("Cita el 25 nov 2026, 11:00");
  });

  test("is cancelled after a second question", async ({ page }) => {
    await answer(page, { booking: json({ status: "cancelled" }) });
    await page.goto(address);
    await page.getByRole("button", { name: "Cambiar cita" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Cita de Persona 6" });
    await expect(dialog.getByLabel("Hora")).toHaveValue("10:00");
    await dialog.getByRole("button", { name: "Cancelar la cita" }).click();
    await expect(dialog.getByRole("button", { name: "No" })).toBeFocused();
    await dialog.getByRole("button", { name: "Sí, cancelarla" }).click();
    await expect(dialog).toBeHidden();
    await expect(rows(page).nth(6)).toContainText("Cita cancelada (era el 24 nov 2026, 10:00)");
  });
});

test("walks the conversations of the listed contacts", async ({ page }) => {
  await page.goto(address);
  await page.getByRole("button", { name: "Ver conversación" }).nth(1).click();
  const dialog = page.getByRole("dialog", { name: /^Conversación #/ });
  const leads = contacts(50).filter(({ kind }) => kind === "lead").length;
  await expect(dialog).toContainText(`2 de ${leads}`);
  await page.keyboard.press("ArrowRight");
  // The third contact wrote a message.
  await expect(dialog).toHaveAccessibleName("Conversación #k3");
  await expect(dialog).toContainText(`3 de ${leads}`);
  await dialog.getByRole("button", { name: "Conversación anterior" }).click();
  await dialog.getByRole("button", { name: "Conversación anterior" }).click();
  await expect(dialog).toHaveAccessibleName("Conversación #k0");
  await expect(dialog.getByRole("button", { name: "Conversación anterior" })).toBeDisabled();

  // Nothing says from which list an address came, and a single one has no neighbours.
  await page.reload();
  await expect(dialog.getByTestId("history").getByRole("listitem").first()).toBeVisible();
  await expect(dialog.getByRole("button", { name: /^Conversación/ })).toHaveCount(0);
  await answer(page, { contacts: list(contacts(1)) });
  await page.goto(address);
  await page.getByRole("button", { name: "Ver conversación" }).click();
  await expect(dialog.getByTestId("history").getByRole("listitem").first()).toBeVisible();
  await expect(dialog.getByRole("button", { name: /^Conversación/ })).toHaveCount(0);
});

test("opens the conversation of a lead", async ({ page }) => {
  await page.goto(address);
  await page.getByRole("button", { name: "Ver conversación" }).first().click();
  await expect(page.getByRole("dialog", { name: "Conversación #k0" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Ver conversación" }).first()).toBeFocused();
  await expect(page).toHaveURL(/vista=contactos/);
});

test("says that somebody's data was erased", async ({ page }) => {
  const [first] = contacts(1);
  if (!first) throw new Error("no contact");
  const { name: _, phone: __, ...rest } = first;
  const erased = {
    ...rest,
    erased: true,
    notes: [{ id: "n", text: "", writtenAt: "2026-11-20T23:41:00Z" }],
  };
  await answer(page, { contacts: list([erased]) });
  await page.goto(address);
  await expect(rows(page).first()).toContainText("Sin nombre");
  await expect(rows(page).first()).toContainText("Los datos de esta persona se borraron");
  await page.getByRole("button", { name: "1 nota" }).click();
  await expect(page.getByText("Nota borrada")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Nota nueva" })).toHaveCount(0);
});

test("news bring new contacts, and without any nobody's details are read again", async ({
  page,
}) => {
  const lists = watched(page, /contacts\?/);
  const counts = watched(page, /counts\?/);
  let tell = () => {};
  await answer(page, {
    async live(route) {
      await new Promise<void>((resolve) => {
        tell = resolve;
      });
      // What is told is always ahead of what the numbers say, so that they are asked for each time.
      const body = 'event: data\ndata: {"position": 48300}\n\n';
      await route.fulfill({ contentType: "text/event-stream", body });
    },
  });
  await page.goto(address);
  await expect(rows(page)).toHaveCount(50);
  const told = async () => {
    const before = counts.length;
    await expect(async () => {
      tell();
      expect(counts.length).toBeGreaterThan(before);
    }).toPass();
  };
  await told();
  expect(lists).toHaveLength(1);

  const fresh = { ...contacts(1)[0], id: "fresh", name: "Recién llegada" };
  await answer(page, {
    contacts: list([fresh, ...contacts(60)]),
    contactCounts: json({ ...contactCounts, new: 16, lastPosition: 48300 }),
  });
  await told();
  await expect(page.getByRole("tab", { name: "Contactos (16 nuevos)" })).toBeVisible();
  await expect(rows(page).first()).toContainText("Recién llegada");
  await told();
  expect(lists).toHaveLength(2);
});
