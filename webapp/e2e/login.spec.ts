import {
  answer,
  conversations,
  dashboard,
  failure,
  json,
  neverAnswers,
  site,
  user,
} from "./answers";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./test";

test.beforeEach(async ({ page }) => {
  await answer(page, { ...site, ...dashboard, user: failure(401) });
});

async function fillIn(page: import("@playwright/test").Page) {
  await page.getByLabel("Correo electrónico").fill("recepcion@clinica.example");
  await page.getByLabel("Contraseña").fill("una contraseña larga");
}

test("shows the form", async ({ page }) => {
  await page.goto("/login");
  await expect(page).toHaveTitle("Acceso al Dashboard | Clínica Dental Regency");
  await expect(page.getByRole("heading", { name: "Acceso al Dashboard" })).toBeVisible();
  await expect(page.getByText("Panel de control del chatbot dental")).toBeVisible();
  await expect(page.getByLabel("Correo electrónico")).toHaveAttribute("type", "email");
  await expect(page.getByLabel("Contraseña")).toHaveAttribute("type", "password");
  await expectNoSidewaysScroll(page);
});

test("asks for both fields", async ({ page }) => {
  await page.goto("/login");
  await page.getByLabel("Correo electrónico").fill("recepcion@clinica.example");
  await page.getByRole("button", { name: "Iniciar sesión" }).click();
  const toasts = page.getByLabel("Notificaciones");
  await expect(toasts).toContainText("Campos requeridos");
  await expect(toasts).toContainText("Por favor complete todos los campos");
});

for (const status of [400, 401, 429, 503]) {
  test(`says that the credentials are wrong after ${status}`, async ({ page }) => {
    await answer(page, { login: failure(status) });
    await page.goto("/login");
    await fillIn(page);
    await page.getByRole("button", { name: "Iniciar sesión" }).click();
    const toasts = page.getByLabel("Notificaciones");
    await expect(toasts).toContainText("Error de acceso");
    await expect(toasts).toContainText("Credenciales inválidas");
    await expect(page.getByRole("button", { name: "Iniciar sesión" })).toBeEnabled();
    await expect(page.getByLabel("Contraseña")).toHaveValue("una contraseña larga");
  });
}

test("is busy while the server thinks", async ({ page }) => {
  await answer(page, { login: neverAnswers });
  await page.goto("/login");
  await fillIn(page);
  await page.getByRole("button", { name: "Iniciar sesión" }).click();
  await expect(page.getByRole("button", { name: "Iniciando sesión..." })).toBeDisabled();
  await expect(page.getByLabel("Correo electrónico")).toBeDisabled();
  await expect(page.getByLabel("Contraseña")).toBeDisabled();
  await expectAccessible(page);
});

test("leads to the dashboard and welcomes", async ({ page }) => {
  let sent: unknown;
  await answer(page, {
    login: async (route) => {
      sent = route.request().postDataJSON();
      await json(user)(route);
    },
  });
  await page.goto("/login");
  await fillIn(page);
  await page.getByLabel("Contraseña").press("Enter");
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByLabel("Notificaciones")).toContainText("Acceso exitoso");
  await expect(page.getByLabel("Notificaciones")).toContainText("Bienvenido al dashboard");
  expect(sent).toEqual({
    username: "recepcion@clinica.example",
    password: "una contraseña larga",
  });
});

test("sends the signed-in on to the dashboard", async ({ page }) => {
  await answer(page, { user: json(user) });
  await page.goto("/LOGIN");
  await expect(page).toHaveURL(/\/dashboard$/);
});

test.describe("a shared link", () => {
  const [conversation] = conversations(1);
  const view = `?desde=2026-10-01&hasta=2026-10-31&lead=si&buscar=muela+%26+co&conversacion=${conversation?.id}`;

  const signIn = async (page: import("@playwright/test").Page) => {
    await answer(page, { login: json(user) });
    await fillIn(page);
    await page.getByRole("button", { name: "Iniciar sesión" }).click();
  };

  test("is there again after the login, with period, filters and transcript", async ({ page }) => {
    await page.goto(`/dashboard${view}`);
    await expect(page).toHaveURL(/\/login$/);
    await page.reload();
    await signIn(page);
    await expect(page).toHaveURL(`/dashboard${view}`);
    const transcript = page.getByRole("dialog", { name: /^Conversación #/ });
    await expect(transcript.getByRole("listitem").first()).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("button", { name: /^Período:/ })).toHaveText(
      "1 oct 2026 – 31 oct 2026",
    );
    await expect(page.getByRole("list", { name: "Filtros activos" })).toContainText("Con lead");
  });

  test("leads nowhere else", async ({ page }) => {
    await page.goto("/login?next=https://evil.example&volver=//evil.example");
    await page.evaluate(() => history.replaceState({ dashboard: "//evil.example" }, ""));
    await signIn(page);
    await expect(page.getByRole("button", { name: "Cerrar Sesión" })).toBeVisible();
    const { origin, pathname } = new URL(page.url());
    expect(pathname).toBe("/dashboard");
    expect(await page.evaluate(() => window.origin)).toBe(origin);
  });
});
