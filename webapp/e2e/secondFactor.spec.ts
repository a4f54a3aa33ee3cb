import type { Page } from "@playwright/test";
import { answer, dashboard, failure, json, owner, site, user } from "./answers";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./test";

const codes = Array.from({ length: 10 }, (_, i) => `4821-9033-175${i}`);
const key = {
  secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
  uri: "otpauth://totp/x",
  drawing: { size: 10, path: "M4 4h2v1h-2zM5 5h1v1h-1z" },
};
const refusal = (status: number, message: string, fields?: object) =>
  json({ message, requestId: "R-77", ...(fields && { fields }) }, status);
const needed = refusal(401, "Escriba el código.", { code: "Escriba el código." });

test.beforeEach(async ({ page }) => {
  await answer(page, { ...site, ...dashboard, sessions: json([]) });
});

async function typePassword(page: Page): Promise<void> {
  await page.getByLabel("Correo electrónico").fill("recepcion@clinica.example");
  await page.getByLabel("Contraseña").fill("una contraseña larga");
  await page.getByLabel("Contraseña").press("Enter");
}

test("asks for the code after the password", async ({ page }) => {
  const bodies: unknown[] = [];
  await answer(page, { user: failure(401), login: needed });
  await page.goto("/login");
  await typePassword(page);
  const code = page.getByLabel("Código");
  await expect(code).toBeFocused();
  await expect(code).toHaveAttribute("inputmode", "numeric");
  await expect(code).toHaveAttribute("autocomplete", "one-time-code");
  await expect(code).toHaveAccessibleDescription(/seis dígitos/);
  await expect(page.getByLabel("Contraseña")).toHaveCount(0);
  // To be asked is no failure.
  await expect(page.getByText("Error de acceso")).toHaveCount(0);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  const toasts = page.getByLabel("Notificaciones");
  await page.getByRole("button", { name: "Entrar" }).click();
  await expect(toasts).toContainText("Escriba el código");

  await answer(page, { login: failure(401) });
  await code.fill("000 000");
  await code.press("Enter");
  await expect(toasts).toContainText("Espere a que la aplicación muestre otro código.");
  await expect(code).toHaveValue("000 000");
  await answer(page, {
    login: async (route) => {
      bodies.push(route.request().postDataJSON());
      await json({ ...user, secondFactor: "on" })(route);
    },
  });
  await code.fill("123 456");
  await page.getByRole("button", { name: "Entrar" }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  expect(bodies).toEqual([
    {
      username: "recepcion@clinica.example",
      password: "una contraseña larga",
      code: "123 456",
    },
  ]);
});

test("leads from the code back to the password", async ({ page }) => {
  await answer(page, { user: failure(401), login: needed });
  await page.goto("/login");
  await typePassword(page);
  await page.getByRole("button", { name: "Usar otra cuenta" }).click();
  await expect(page.getByLabel("Correo electrónico")).toHaveValue("recepcion@clinica.example");
  await expect(page.getByLabel("Contraseña")).toHaveValue("");
});

test("sets the code up, and shows the recovery codes once", async ({ page }) => {
  await answer(page, {
    secondFactorBegin: json(key),
    secondFactorConfirm: refusal(400, "Ese no es el código."),
  });
  await page.goto("/dashboard/cuenta");
  await page.getByRole("button", { name: "Activar" }).click();
  await expect(page.getByRole("img", { name: /^Código QR/ })).toBeVisible();
  await expect(page.getByText("JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP")).toBeVisible();
  const code = page.getByLabel("Código que muestra la aplicación");
  await expect(code).toBeFocused();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByRole("button", { name: "Confirmar y activar" }).click();
  await expect(page.getByRole("alert")).toHaveText("Escriba el código.");
  await code.fill("000000");
  await code.press("Enter");
  await expect(page.getByRole("alert")).toHaveText("Ese no es el código. Referencia: R-77");
  await answer(page, {
    secondFactorConfirm: json({ recoveryCodes: codes }),
    secondFactor: json({ on: true, recoveryCodes: 10 }),
  });
  await code.press("Enter");
  const recovery = page.getByRole("region", { name: "Códigos de recuperación" });
  await expect(recovery.getByRole("listitem")).toHaveText(codes);
  await expect(page.getByRole("button", { name: "Ya los guardé" })).toBeFocused();
  await expect(page.getByRole("img", { name: /^Código QR/ })).toHaveCount(0);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByRole("button", { name: "Ya los guardé" }).click();
  await expect(page.getByText("4821-9033")).toHaveCount(0);
  await expect(page.getByText("Le quedan 10 códigos de recuperación.")).toBeVisible();
});

test("takes the code away with password and code", async ({ page }) => {
  const bodies: unknown[] = [];
  await answer(page, {
    secondFactor: json({ on: true, recoveryCodes: 1 }),
    secondFactorRemove: refusal(400, "La contraseña o el código no son correctos."),
  });
  await page.goto("/dashboard/cuenta");
  await expect(page.getByText("Le queda 1 código de recuperación.")).toBeVisible();
  await page.getByRole("button", { name: "Desactivar" }).click();
  await page.getByRole("button", { name: "Desactivar" }).click();
  await expect(page.getByRole("alert")).toHaveText("Complete los dos campos.");
  await expectAccessible(page);
  await page.getByLabel("Su contraseña").fill("una contraseña larga");
  await page.getByLabel("Código, o uno de recuperación").fill("123456");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toContainText("no son correctos");
  await answer(page, {
    secondFactor: json({ on: false, recoveryCodes: 0 }),
    secondFactorRemove: async (route) => {
      bodies.push(route.request().postDataJSON());
      await route.fulfill({ status: 204 });
    },
  });
  await page.getByRole("button", { name: "Desactivar" }).click();
  await expect(page.getByLabel("Notificaciones")).toContainText("Código desactivado");
  await expect(page.getByRole("button", { name: "Activar" })).toBeVisible();
  expect(bodies).toEqual([{ password: "una contraseña larga", code: "123456" }]);
});

test("leads whoever has to set it up there, and nowhere else", async ({ page }) => {
  await answer(page, {
    user: json({ ...owner, secondFactor: "due" }),
    secondFactorBegin: json(key),
    secondFactorConfirm: json({ recoveryCodes: codes }),
  });
  for (const path of ["/dashboard", "/dashboard/cuentas", "/dashboard/actividad"]) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/dashboard\/cuenta$/);
  }
  await expect(page.getByText("La clínica pide un código además de la contraseña.")).toBeVisible();
  await expect(page.getByRole("link", { name: /Dashboard|Cuentas|Actividad/ })).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Cambiar la contraseña" })).toHaveCount(0);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByRole("button", { name: "Activar" }).click();
  await page.getByLabel("Código que muestra la aplicación").fill("123456");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main").getByRole("listitem")).toHaveText(codes);
  await answer(page, {
    user: json({ ...owner, secondFactor: "on" }),
    secondFactor: json({ on: true, recoveryCodes: 10 }),
  });
  await page.getByRole("button", { name: "Ya los guardé" }).click();
  await page.getByRole("link", { name: "Datos" }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
});

test("says what of the code does not come", async ({ page }) => {
  await answer(page, { secondFactor: failure(503) });
  await page.goto("/dashboard/cuenta");
  await expect(page.getByRole("alert")).toContainText("No se pudo cargar.");
  await answer(page, {
    secondFactor: json({ on: false, recoveryCodes: 0 }),
    secondFactorBegin: failure(503),
  });
  await page.getByRole("button", { name: "Reintentar" }).click();
  await page.getByRole("button", { name: "Activar" }).click();
  await expect(page.getByRole("alert")).toHaveText("No disponible. Referencia: r-1");
});

test("fits the narrowest telephone", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await answer(page, {
    secondFactorBegin: json(key),
    secondFactorConfirm: json({ recoveryCodes: codes }),
  });
  await page.goto("/dashboard/cuenta");
  await page.getByRole("button", { name: "Activar" }).click();
  await expectNoSidewaysScroll(page);
  await page.getByLabel("Código que muestra la aplicación").fill("123456");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main").getByRole("listitem")).toHaveText(codes);
  await expectNoSidewaysScroll(page);
});
