/** A member of staff with an app that makes codes, on a real server. */
import { createHmac } from "node:crypto";
import type { Page } from "@playwright/test";
import { expect, expectAccessible, test } from "./test";

const email = process.env.E2E_CODES_EMAIL ?? "";
const password = process.env.E2E_STAFF_PASSWORD ?? "";

/** The code of an app (RFC 6238), some periods of 30 seconds from now. */
function codeOf(secret: string, periods = 0): string {
  const bits = [...secret]
    .map((c) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(c).toString(2).padStart(5, "0"))
    .join("");
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + periods));
  const mac = createHmac("sha1", key).update(counter).digest();
  const at = (mac.at(-1) ?? 0) & 0xf;
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

async function typePassword(page: Page): Promise<void> {
  await page.getByLabel("Correo electrónico").fill(email);
  await page.getByLabel("Contraseña").fill(password);
  await page.getByRole("button", { name: "Iniciar sesión" }).click();
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Cerrar Sesión" }).click();
  await expect(page).toHaveURL(/\/login$/);
}

test("signs in with codes, each once", async ({ page }) => {
  await page.goto("/login");
  await typePassword(page);
  await page.getByRole("link", { name: "Mi cuenta" }).click();
  await page.getByRole("button", { name: "Activar" }).click();
  await expect(page.getByRole("img", { name: /^Código QR/ })).toBeVisible();
  const secret = ((await page.locator("code").textContent()) ?? "").replaceAll(" ", "");
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  const first = codeOf(secret);
  await page.getByLabel("Código que muestra la aplicación").fill(first);
  await page.keyboard.press("Enter");
  const rows = page.getByRole("region", { name: "Códigos de recuperación" }).getByRole("listitem");
  await expect(rows).toHaveCount(10);
  const recovery = await rows.allTextContents();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Ya los guardé" }).click();
  await expect(page.getByText("Le quedan 10 códigos de recuperación.")).toBeVisible();
  await signOut(page);

  await typePassword(page);
  const code = page.getByLabel("Código");
  const answerTo = async (typed: string) => {
    const answer = page.waitForResponse("**/api/auth/login");
    await code.fill(typed);
    await code.press("Enter");
    return (await answer).status();
  };
  const later = codeOf(secret, 1);
  expect(await answerTo(first)).toBe(401);
  await expect(page.getByText("Espere a que la aplicación muestre otro código.")).toBeVisible();
  expect(await answerTo(later === "000000" ? "111111" : "000000")).toBe(401);
  await expect(code).toBeFocused();
  await expectAccessible(page);
  // Pasted as an app shows it.
  expect(await answerTo(`${later.slice(0, 3)} ${later.slice(3)}`)).toBe(200);
  await expect(page).toHaveURL(/\/dashboard$/);
  await signOut(page);

  await typePassword(page);
  await expect(code).toBeVisible();
  expect(await answerTo(later)).toBe(401);
  expect(await answerTo(recovery[0] ?? "")).toBe(200);
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.getByRole("link", { name: "Mi cuenta" }).click();
  await expect(page.getByText("Le quedan 9 códigos de recuperación.")).toBeVisible();

  await page.getByRole("button", { name: "Desactivar" }).click();
  await page.getByLabel("Su contraseña").fill(password);
  await page.getByLabel("Código, o uno de recuperación").fill(recovery[0] ?? "");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toContainText("no son correctos");
  await page.getByLabel("Código, o uno de recuperación").fill(recovery[1] ?? "");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Código desactivado")).toBeVisible();
  await expect(page.getByRole("button", { name: "Activar" })).toBeVisible();
  await signOut(page);
  await typePassword(page);
  await expect(page).toHaveURL(/\/dashboard$/);
});
