import {
  answer,
  conversations,
  dashboard,
  failure,
  json,
  kpis,
  neverAnswers,
  site,
  user,
} from "./answers";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./test";

test.beforeEach(async ({ page }) => {
  await answer(page, { ...site, ...dashboard });
});

test.describe("the session", () => {
  test("is waited for with a spinner", async ({ page }) => {
    await answer(page, { user: neverAnswers });
    await page.goto("/dashboard");
    await expect(page.getByRole("status", { name: "" })).toContainText("Comprobando su sesión…");
  });

  for (const status of [401, 500]) {
    test(`is missing after ${status}, and the login opens`, async ({ page }) => {
      await answer(page, { user: failure(status) });
      await page.goto("/dashboard");
      await expect(page).toHaveURL(/\/login$/);
    });
  }

  test("that ends on the way leads to the login", async ({ page }) => {
    await page.goto("/dashboard");
    await expect(page.getByText("137 conversaciones", { exact: true })).toBeVisible();
    await answer(page, { kpis: failure(401), conversations: failure(401) });
    await page.getByRole("button", { name: "Actualizar" }).click();
    await expect(page).toHaveURL(/\/login$/);
  });

  for (const [name, logout] of [
    ["succeeds", dashboard.logout],
    ["fails", failure(500)],
  ] as const) {
    test(`ends also when the logout ${name}`, async ({ page }) => {
      if (logout) await answer(page, { logout });
      await page.goto("/dashboard");
      await page.getByRole("button", { name: "Cerrar Sesión" }).click();
      await expect(page).toHaveURL(/\/login$/);
    });
  }

  test("is over with any call that says so, and comes back to where it was", async ({ page }) => {
    const view = "/dashboard?vista=contactos&estado=nuevo";
    await page.goto(view);
    await page.getByRole("button", { name: /^Estado de Persona 0/ }).click();
    await answer(page, { contactStatus: failure(401), user: failure(401), login: json(user) });
    await page.getByRole("menuitemradio", { name: "Descartado" }).click();
    await expect(page).toHaveURL(/\/login$/);
    await expect(page.getByRole("tabpanel")).toHaveCount(0);
    await page.getByLabel("Correo electrónico").fill("recepcion@clinica.example");
    await page.getByLabel("Contraseña").fill("una contraseña larga");
    await page.getByRole("button", { name: "Iniciar sesión" }).click();
    await expect(page).toHaveURL(view);
  });

  test("that ends while a note is typed leaves the note to its writer", async ({ page }) => {
    const view = "/dashboard?vista=contactos";
    const note = page.getByRole("tabpanel").getByRole("textbox", { name: "Nota nueva" });
    const signIn = async () => {
      await page.getByLabel("Correo electrónico").fill("recepcion@clinica.example");
      await page.getByLabel("Contraseña").fill("una contraseña larga");
      await page.getByRole("button", { name: "Iniciar sesión" }).click();
      await expect(page).toHaveURL(view);
    };
    await page.goto(view);
    await page.getByRole("button", { name: "Añadir nota" }).first().click();
    await note.fill("Prefiere la tarde.");
    await answer(page, { contactNotes: failure(401), login: json(user) });
    await page.getByRole("button", { name: "Guardar nota" }).click();
    await expect(page).toHaveURL(/\/login$/);
    await signIn();
    await expect(note).toHaveValue("Prefiere la tarde.");
    await page.reload();
    await expect(note).toHaveValue("Prefiere la tarde.");

    await page.getByRole("button", { name: "Guardar nota" }).click();
    await expect(page).toHaveURL(/\/login$/);
    await answer(page, { login: json({ ...user, id: "2" }) });
    await signIn();
    await expect(page.getByRole("tabpanel").getByRole("article").first()).toBeVisible();
    await expect(note).toHaveCount(0);
  });

  test("that the server ended is over in all tabs, each of which comes back", async ({
    page,
    context,
  }) => {
    const view = "/dashboard?vista=contactos";
    const other = await context.newPage();
    await answer(other, { ...site, ...dashboard });
    await other.goto(view);
    await expect(other.getByRole("tabpanel")).toBeVisible();
    await page.goto("/dashboard");
    await expect(page.getByText("137 conversaciones", { exact: true })).toBeVisible();
    await answer(page, { kpis: failure(401), login: json(user) });
    await answer(other, { user: failure(401) });
    await page.getByRole("button", { name: "Actualizar" }).click();
    for (const tab of [page, other]) {
      await expect(tab).toHaveURL(/\/login$/);
      await expect(tab.getByRole("tabpanel")).toHaveCount(0);
    }

    await answer(page, { kpis: json(kpis) });
    await answer(other, { user: json(user) });
    await page.getByLabel("Correo electrónico").fill("recepcion@clinica.example");
    await page.getByLabel("Contraseña").fill("una contraseña larga");
    await page.getByRole("button", { name: "Iniciar sesión" }).click();
    await expect(page).toHaveURL(/\/dashboard$/);
    await expect(other).toHaveURL(view);
  });

  test("is over when the news may no longer be heard", async ({ page }) => {
    let live: ((status: number) => void) | undefined;
    const refused = new Promise<number>((refuse) => {
      live = refuse;
    });
    await answer(page, { live: async (route) => failure(await refused)(route) });
    await page.goto("/dashboard");
    await expect(page.getByText("137 conversaciones", { exact: true })).toBeVisible();
    await answer(page, { kpis: failure(401) });
    live?.(401);
    await expect(page).toHaveURL(/\/login$/);
    await expect(page.getByText("137 conversaciones", { exact: true })).toHaveCount(0);
  });

  test("that could not be closed is told of, also after a reload, and closed later", async ({
    page,
  }) => {
    await answer(page, { logout: (route) => route.abort("internetdisconnected") });
    await page.goto("/dashboard?desde=2026-10-01&hasta=2026-10-31");
    await page.getByRole("button", { name: "Cerrar Sesión" }).click();
    for (const again of [false, true]) {
      if (again) await page.reload();
      await expect(page).toHaveURL(/\/login$/);
      const warning = page.getByRole("alert");
      await expect(warning).toContainText("puede seguir abierta en este navegador");
      await expect(page.getByText("Conversaciones", { exact: false })).toHaveCount(0);
    }
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await page.goto("/dashboard");
    await expect(page).toHaveURL(/\/login$/);

    await page.getByRole("button", { name: "Reintentar" }).click();
    await expect(page.getByRole("alert")).toBeVisible();
    await answer(page, { logout: (route) => route.fulfill({ status: 204 }), user: failure(401) });
    await page.getByRole("button", { name: "Reintentar" }).click();
    await expect(page.getByRole("alert")).toHaveCount(0);
    await expect(page.getByLabel("Notificaciones")).toContainText("Sesión cerrada");
    await page.reload();
    await expect(page.getByRole("button", { name: "Iniciar sesión" })).toBeVisible();
    await expect(page.getByRole("alert")).toHaveCount(0);
  });

  test("that could not be closed is closed by itself once there is a network", async ({ page }) => {
    await answer(page, { logout: failure(503) });
    await page.goto("/dashboard");
    await page.getByRole("button", { name: "Cerrar Sesión" }).click();
    await expect(page.getByRole("alert")).toBeVisible();
    await answer(page, { logout: (route) => route.fulfill({ status: 204 }) });
    await page.evaluate(() => window.dispatchEvent(new Event("online")));
    await expect(page.getByRole("alert")).toHaveCount(0);
  });

  test("is over in all tabs at once, and back in all", async ({ page, context }) => {
    const [conversation] = conversations(1);
    const other = await context.newPage();
    await answer(other, { ...site, ...dashboard });
    await other.goto(`/dashboard?conversacion=${conversation?.id}`);
    await expect(other.getByTestId("message-text").first()).toBeVisible();
    await page.goto("/dashboard");
    let end: (() => void) | undefined;
    const ended = new Promise<void>((done) => {
      end = done;
    });
    await answer(page, {
      logout: async (route) => {
        await ended;
        await route.fulfill({ status: 204 });
      },
      login: json(user),
    });
    await page.getByRole("button", { name: "Cerrar Sesión" }).click();
    for (const tab of [page, other]) {
      await expect(tab).toHaveURL(/\/login$/);
      await expect(tab.getByTestId("message-text")).toHaveCount(0);
      await expect(tab.getByRole("tabpanel")).toHaveCount(0);
    }
    await other.getByRole("link", { name: /^Volver al sitio/ }).click();
    await other.goBack();
    await expect(other.getByRole("button", { name: "Iniciar sesión" })).toBeVisible();

    end?.();
    await page.getByLabel("Correo electrónico").fill("recepcion@clinica.example");
    await page.getByLabel("Contraseña").fill("una contraseña larga");
    await page.getByRole("button", { name: "Iniciar sesión" }).click();
    for (const tab of [page, other]) await expect(tab).toHaveURL(/\/dashboard$/);
  });
});
