import type { Page } from "@playwright/test";
import { answer, failure } from "./answers";
import { expect, stopClock, test, tickUntil } from "./test";

test.beforeEach(async ({ page }) => {
  await answer(page, { user: failure(401), login: failure(401) });
  await stopClock(page);
  await page.goto("/login");
  await tickUntil(page, page.getByRole("button", { name: "Iniciar sesión" }));
  // The place for toasts is fetched later, and React draws what comes shortly after by the clock.
  await tickUntil(page, page.getByLabel("Notificaciones"));
});

const submit = (page: Page) => page.getByRole("button", { name: "Iniciar sesión" }).click();
const toasts = (page: Page) => page.getByLabel("Notificaciones").getByRole("listitem");

test("stays 5 seconds", async ({ page }) => {
  await submit(page);
  await expect(toasts(page)).toHaveCount(1);
  await page.clock.runFor(4900);
  await expect(toasts(page)).toHaveCount(1);
  await page.clock.runFor(200);
  await expect(toasts(page)).toHaveCount(0);
});

test("is alone", async ({ page }) => {
  await submit(page);
  await expect(toasts(page)).toContainText("Campos requeridos");
  await page.getByLabel("Correo electrónico").fill("a@b.example");
  await page.getByLabel("Contraseña").fill("x");
  await submit(page);
  await tickUntil(page, page.getByText("Error de acceso"));
  await expect(toasts(page)).toHaveCount(1);
});

test("can be closed", async ({ page }) => {
  await submit(page);
  await page.getByRole("button", { name: "Cerrar notificación" }).click();
  await expect(toasts(page)).toHaveCount(0);
});

test("closes when swiped 50 pixels to the right", async ({ page }) => {
  await submit(page);
  const box = await toasts(page).boundingBox();
  if (!box) throw new Error("no toast");
  const [x, y] = [box.x + 20, box.y + 20];
  const swipe = async (distance: number) => {
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + distance, y, { steps: 4 });
    await page.mouse.up();
  };
  await swipe(-80);
  await swipe(45);
  await expect(toasts(page)).toHaveCount(1);
  await swipe(55);
  await expect(toasts(page)).toHaveCount(0);
});

test("has its place", { tag: "@both" }, async ({ page, viewport }) => {
  await submit(page);
  const box = await page.getByLabel("Notificaciones").boundingBox();
  if (!box || !viewport) throw new Error("no toast");
  if (viewport.width < 640) {
    expect(box).toMatchObject({ x: 0, y: 0, width: viewport.width });
  } else {
    expect(box.width).toBe(420);
    expect(box.x + box.width).toBe(viewport.width);
    expect(box.y + box.height).toBe(viewport.height);
  }
});
