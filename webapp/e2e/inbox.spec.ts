import type { Page } from "@playwright/test";
import { answer, dashboard, failure, json, reader, site } from "./answers";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./test";
import { crisis, everybody, queue, waitingPeople } from "./waitingAnswers";

const rows = (page: Page) => page.getByRole("region", { name: "Por llamar" }).getByRole("article");
const history = (page: Page) => page.getByRole("region", { name: "Mensajes de la conversación" });
const opener = /^Ver (la conversación|el mensaje)$/;

test.beforeEach(async ({ page }) => {
  await answer(page, { ...site, ...dashboard, waiting: queue(everybody) });
});

test("shows the queue left and the transcript right", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto("/dashboard/hoy");
  await page.getByRole("link", { name: "Bandeja" }).click();
  await expect(page).toHaveTitle(/^Bandeja/);
  await expect(rows(page)).toHaveCount(7);
  await expect(rows(page).nth(1)).toContainText("Implantes, Precios");
  await expect(page.getByText("Elija a alguien de la cola")).toBeVisible();
  await expectAccessible(page);
  await rows(page).nth(1).getByRole("link", { name: opener }).click();
  await expect(history(page)).toContainText("¿atienden los sábados?");
  await expect(page.getByRole("main")).toContainText("2 de 7");
  const [left, right] = await Promise.all([
    rows(page).first().boundingBox(),
    history(page).boundingBox(),
  ]);
  expect((left?.x ?? 0) + (left?.width ?? 0)).toBeLessThan(right?.x ?? 0);
  await expect(page.getByRole("main")).not.toContainText(/Sesión|w-crisis|w0/);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
});

test("steps walk the queue, also over a message, and from today", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto("/dashboard/hoy");
  await rows(page).nth(2).getByRole("link", { name: opener }).click();
  const main = page.getByRole("main");
  await expect(page).toHaveURL("/dashboard/bandeja?persona=lead%2Fw1");
  await expect(main).toContainText("3 de 7");
  await page.getByRole("button", { name: "Persona siguiente" }).click();
  await expect(main).toContainText("4 de 7");
  await expect(main).toContainText("Escribió por el formulario de contacto");
  await page.getByRole("button", { name: "Persona anterior" }).click();
  await expect(history(page)).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL("/dashboard/hoy");
});

test("j and k walk the rows, and enter opens", async ({ page }) => {
  await page.goto("/dashboard/bandeja");
  const link = (index: number) => rows(page).nth(index).getByRole("link", { name: opener });
  await expect(rows(page)).toHaveCount(7);
  await page.keyboard.press("j");
  await expect(link(0)).toBeFocused();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("k");
  await expect(link(1)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(history(page)).toBeVisible();
  await expect(link(1)).toHaveAttribute("aria-current", "true");
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog")).toContainText("Fila siguiente");
});

for (const width of [320, 390, 768]) {
  test(`shows the list, then the transcript with the actions, ${width}`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    let people = [...everybody];
    await answer(page, {
      waiting: (route) => queue(people)(route),
      attempts: async (route) => {
        people = people.slice(1);
        await json({ id: "a1", outcome: "done", at: new Date().toISOString() })(route);
      },
    });
    await page.goto("/dashboard/bandeja");
    await expect(rows(page)).toHaveCount(7);
    await rows(page).first().getByRole("link", { name: opener }).click();
    await expect(history(page)).toBeVisible();
    await expect(rows(page)).toHaveCount(0);
    await expectNoSidewaysScroll(page);
    await page.getByRole("link", { name: "Volver a la cola" }).click();
    await expect(rows(page)).toHaveCount(7);
    await page.goBack();
    await page.getByRole("main").getByRole("button", { name: "Hecho" }).click();
    await expect(rows(page)).toHaveCount(6);
    await expect(page.getByRole("heading", { name: "Por llamar" })).toBeFocused();
  });
}

test("looks for the person on further pages, and says who waits no more", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await answer(page, { waiting: queue([crisis, ...waitingPeople(59)]) });
  await page.goto("/dashboard/bandeja?persona=lead/w57");
  await expect(page.getByRole("main")).toContainText("59 de 60");
  await page.goto("/dashboard/bandeja?persona=lead/nobody");
  await expect(page.getByText("Esta persona ya no espera")).toBeVisible();
});

test("says what failed, and keeps a reader out", async ({ page }) => {
  await answer(page, { waiting: failure(503) });
  await page.goto("/dashboard/bandeja");
  await expect(page.getByRole("alert")).toContainText("No se pudo cargar a quién llamar.");
  await answer(page, { user: json(reader) });
  await page.reload();
  await expect(page).toHaveURL("/dashboard");
  await expect(page.getByRole("link", { name: "Bandeja" })).toHaveCount(0);
});
