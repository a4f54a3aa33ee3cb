import type { Page, Route } from "@playwright/test";
import { accounts, sessions } from "./accountAnswers";
import { answer, dashboard, failure, json, neverAnswers, owner, site, user } from "./answers";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./test";

const done = (route: Route) => route.fulfill({ status: 204 });

/** A refusal in the server's words. */
const refusal = (status: number, message: string) => (route: Route) =>
  route.fulfill({ status, json: { message, requestId: "R-77" } });

/** The bodies that are sent to an address, as they come. */
function sent(page: Page, path: string): unknown[] {
  const bodies: unknown[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith(path)) {
      bodies.push(request.postDataJSON());
    }
  });
  return bodies;
}

async function typePasswords(page: Page, current: string, next: string, again: string) {
  await page.getByLabel("Contraseña actual").fill(current);
  await page.getByLabel("Contraseña nueva", { exact: true }).fill(next);
  await page.getByLabel("Contraseña nueva, otra vez").fill(again);
  await page.getByRole("button", { name: "Cambiar contraseña" }).click();
}

test.beforeEach(async ({ page }) => {
  await answer(page, {
    ...site,
    ...dashboard,
    sessions: json(sessions),
    sessionsEnd: done,
    password: done,
    accounts: json(accounts),
    accountChange: done,
  });
});

test("leads from the dashboard to one's own account, and back", async ({ page }) => {
  await page.goto("/dashboard");
  await page.getByRole("link", { name: "Mi cuenta" }).click();
  await expect(page).toHaveURL(/\/dashboard\/cuenta$/);
  await expect(page).toHaveTitle(/^Mi cuenta/);
  await expect(page.getByRole("heading", { level: 1, name: "Mi cuenta" })).toBeVisible();
  await expect(page.getByText("recepcion@clinica.example · Personal")).toBeVisible();
  await expect(page.getByRole("link", { name: "Cuentas" })).toHaveCount(0);
  await page.getByRole("link", { name: "Datos" }).click();
  await expect(page.getByRole("heading", { name: "Dashboard del Chatbot" })).toBeVisible();
});

test("changes the password", async ({ page }) => {
  const bodies = sent(page, "/api/auth/password");
  await page.goto("/dashboard/cuenta");
  await page.getByRole("button", { name: "Cambiar contraseña" }).click();
  await expect(page.getByRole("alert")).toHaveText("Complete los tres campos.");
  await typePasswords(page, "la de antes", "cuatro gatos y un puente", "cuatro gatos");
  await expect(page.getByRole("alert")).toHaveText("Las dos contraseñas nuevas no coinciden.");
  await answer(page, { password: refusal(400, "La contraseña actual no es esa.") });
  await typePasswords(page, "otra", "cuatro gatos y un puente", "cuatro gatos y un puente");
  await expect(page.getByRole("alert")).toHaveText(
    "La contraseña actual no es esa. Referencia: R-77",
  );
  await expectAccessible(page);
  await answer(page, { password: done });
  await page.getByLabel("Contraseña nueva, otra vez").press("Enter");
  await expect(page.getByLabel("Notificaciones")).toContainText("Contraseña cambiada");
  await expect(page.getByLabel("Contraseña actual")).toHaveValue("");
  await expect(page.getByRole("alert")).toHaveCount(0);
  const typed = { current: "otra", password: "cuatro gatos y un puente" };
  expect(bodies).toEqual([typed, typed]);
});

test("lists one's sessions and ends them", async ({ page }) => {
  const bodies = sent(page, "/api/auth/sessions/end");
  await page.goto("/dashboard/cuenta");
  const rows = page.getByRole("main").getByRole("listitem");
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(0)).toContainText("Esta sesión");
  await expect(rows.nth(0).getByRole("button")).toHaveCount(0);
  await expect(rows.nth(1)).toContainText("Último uso: 20 nov 2026, 10:41 · Desde: 20 nov 2026");
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByRole("button", { name: "Cerrar todas las demás" }).click();
  await expect(page.getByLabel("Notificaciones")).toContainText("Las demás sesiones se cerraron");
  await answer(page, { sessions: json(sessions.slice(0, 1)) });
  await page.getByRole("button", { name: "Cerrar la sesión de Safari · iOS" }).press("Enter");
  await expect(rows).toHaveCount(1);
  await expect(page.getByText("No hay otras sesiones abiertas.")).toBeVisible();
  expect(bodies).toEqual([{}, { id: "s-2" }]);
});

test("says what of one's account does not come", async ({ page }) => {
  await answer(page, { sessions: neverAnswers });
  await page.goto("/dashboard/cuenta");
  await expect(page.getByRole("status", { name: "Cargando sesiones" })).toBeVisible();
  await expectAccessible(page);
  await answer(page, { sessions: failure(503) });
  await page.reload();
  await expect(page.getByRole("alert")).toContainText("No se pudieron cargar las sesiones.");
  await answer(page, { sessions: json(sessions), sessionsEnd: failure(503) });
  await page.getByRole("button", { name: "Reintentar" }).click();
  await page.getByRole("button", { name: "Cerrar la sesión de Safari · iOS" }).click();
  await expect(page.getByRole("alert")).toHaveText("No disponible. Referencia: r-1");
});

test("manages accounts", async ({ page }) => {
  await answer(page, { user: json(owner) });
  await page.goto("/dashboard/cuenta");
  await page.getByRole("link", { name: "Cuentas" }).click();
  await expect(page).toHaveTitle(/^Cuentas/);
  const rows = page.getByRole("main").getByRole("listitem");
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(0)).toContainText("Usted");
  await expect(rows.nth(1)).toContainText("2 sesiones abiertas");
  await expect(rows.nth(0).getByRole("button")).toHaveCount(0);
  await expectNoSidewaysScroll(page);

  const roles = sent(page, "/api/accounts/2/role");
  await page.getByLabel("Permiso de luis@clinica.example").selectOption("Solo cifras");
  expect(roles).toEqual([]);
  await page.getByRole("button", { name: "Guardar permiso" }).click();
  await expect(page.getByLabel("Notificaciones")).toContainText("Permiso cambiado");
  expect(roles).toEqual([{ role: "reader" }]);

  const ended = sent(page, "/api/accounts/2/sessions/end");
  await page.getByRole("button", { name: "Cerrar las sesiones de luis@clinica.example" }).click();
  await expect(page.getByRole("button", { name: "No", exact: true })).toBeFocused();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Sí" }).click();
  await expect(page.getByLabel("Notificaciones")).toContainText("Sesiones cerradas");
  expect(ended).toHaveLength(1);

  const removed = sent(page, "/api/accounts/2/remove");
  await page.getByRole("button", { name: "Quitar la cuenta luis@clinica.example" }).click();
  await page.getByRole("button", { name: "No", exact: true }).click();
  expect(removed).toEqual([]);
  await answer(page, { accounts: json([accounts[0]]) });
  await page.getByRole("button", { name: "Quitar la cuenta luis@clinica.example" }).click();
  await page.getByRole("button", { name: "Sí" }).click();
  await expect(rows).toHaveCount(1);
  expect(removed).toHaveLength(1);
});

test("says why an account is not changed, and forgets it is an owner's page for nobody else", async ({
  page,
}) => {
  const last = "Es la última cuenta que administra las demás.";
  await answer(page, { user: json({ ...owner, id: "1" }), accountChange: refusal(409, last) });
  await page.goto("/dashboard/cuentas");
  await page.getByLabel("Permiso de ana@clinica.example").selectOption("Personal");
  await page.getByRole("button", { name: "Guardar permiso" }).click();
  await expect(page.getByRole("alert")).toHaveText(`${last} Referencia: R-77`);
  await answer(page, { accountChange: done, user: json(user) });
  await page.getByRole("button", { name: "Guardar permiso" }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.goto("/dashboard/cuentas");
  await expect(page).toHaveURL(/\/dashboard$/);
});

test("adds an account", async ({ page }) => {
  const bodies = sent(page, "/api/accounts");
  await answer(page, { user: json(owner) });
  await page.goto("/dashboard/cuentas");
  const add = page.getByRole("button", { name: "Agregar cuenta" });
  await add.click();
  await expect(page.getByRole("alert")).toHaveText("Complete el correo y la contraseña.");
  await answer(page, { accounts: refusal(409, "Ese correo ya tiene una cuenta.") });
  await page.getByLabel("Correo electrónico").fill(" eva@clinica.example ");
  await page.getByLabel("Primera contraseña").fill("siete barcos en la bahía");
  await page.getByLabel("Permiso", { exact: true }).selectOption("Solo cifras");
  await expect(page.getByText("Ve cifras, sin conversaciones ni contactos.")).toBeVisible();
  await add.click();
  await expect(page.getByRole("alert")).toContainText("Ese correo ya tiene una cuenta.");
  await answer(page, { accounts: json(accounts) });
  await add.click();
  await expect(page.getByLabel("Notificaciones")).toContainText("Cuenta agregada");
  await expect(page.getByLabel("Correo electrónico")).toHaveValue("");
  const typed = {
    email: "eva@clinica.example",
    password: "siete barcos en la bahía",
    role: "reader",
  };
  expect(bodies).toEqual([typed, typed]);
});

test("says what of the accounts does not come", async ({ page }) => {
  await answer(page, { user: json(owner), accounts: neverAnswers });
  await page.goto("/dashboard/cuentas");
  await expect(page.getByRole("status", { name: "Cargando cuentas" })).toBeVisible();
  await answer(page, { accounts: failure(503) });
  await page.reload();
  await expect(page.getByRole("alert")).toContainText("No se pudieron cargar las cuentas.");
});

test("leads whoever is not signed in to the login", async ({ page }) => {
  await answer(page, { user: failure(401) });
  for (const path of ["/dashboard/cuenta", "/dashboard/cuentas"]) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/login$/);
  }
});

test("fits the narrowest telephone", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await answer(page, { user: json(owner) });
  for (const path of ["/dashboard/cuenta", "/dashboard/cuentas", "/dashboard"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByRole("status", { name: /^Cargando/ })).toHaveCount(0);
    await expectNoSidewaysScroll(page);
  }
});
