import type { Page } from "@playwright/test";
import { answer, dashboard, failure, json, neverAnswers, reader, site } from "./answers";
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  stopClock,
  test,
  tickUntil,
} from "./test";
import { crisis, everybody, listOf, queue, waitingPeople } from "./waitingAnswers";

/** The queue, without the agenda below it. */
const queueOf = (page: Page) => page.getByRole("region", { name: "Por llamar" });

const windows = [
  { width: 390, height: 844 },
  { width: 1280, height: 900 },
];

test.beforeEach(async ({ page }) => {
  await answer(page, { ...site, ...dashboard, waiting: queue(everybody) });
});

for (const size of windows) {
  test(`the dashboard says who is to be called without a touch, ${size.width}`, async ({
    page,
  }) => {
    await page.setViewportSize(size);
    await page.goto("/dashboard");
    const band = page.getByRole("region", { name: "Por llamar" });
    await expect(band).toContainText("7 personas por llamar");
    await expect(band).toContainText("La que más espera lleva 4 días.");
    await expect(band).toContainText("1 con una crisis o emergencia");
    const call = band.getByRole("link", { name: "Llamar a Persona 0" });
    await expect(call).toHaveAttribute("href", "tel:+50769001000");
    await expect(call).toBeInViewport({ ratio: 1 });
    await expectNoSidewaysScroll(page);
    await band.getByRole("link", { name: "Ver todas" }).click();
    await expect(page).toHaveURL("/dashboard/hoy");
    const rows = queueOf(page).getByRole("article");
    await expect(rows).toHaveCount(7);
    await expect(queueOf(page)).toContainText("Primer contacto: 1 hora tras su llegada");
    await expect(rows.first()).toContainText("Crisis");
    await expect(rows.first()).toContainText("La verdad ya no quiero vivir");
    await expect(rows.nth(5)).toContainText("Atiende berta@clinica.example");
    await expect(rows.nth(5).getByRole("button")).toHaveCount(0);
    await expect(rows.last()).toContainText("Restringido");
    await expect(rows.last().getByRole("button")).toHaveCount(0);
    await expect(page.getByRole("main")).not.toContainText(/Sesión|w-crisis/);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });
}

test("the period does not change who waits", async ({ page }) => {
  await page.goto("/dashboard?desde=2026-01-01&hasta=2026-01-02");
  await expect(page.getByRole("region", { name: "Por llamar" })).toContainText("7 personas");
});

test("attends somebody with one touch, and takes it back", async ({ page }) => {
  const [first, ...rest] = waitingPeople(3);
  if (!first) throw new Error("nobody waits");
  const sent: unknown[] = [];
  let done = false;
  await answer(page, {
    waiting: (route) => queue(done ? rest : [first, ...rest])(route),
    attempts: async (route) => {
      sent.push(route.request().postDataJSON());
      done = true;
      await json({ id: "a1", outcome: "done", at: new Date().toISOString() })(route);
    },
    undoAttempt: async (route) => {
      done = false;
      await route.fulfill({ status: 204 });
    },
  });
  await page.goto("/dashboard/hoy");
  const rows = queueOf(page).getByRole("article");
  await rows.first().getByRole("button", { name: "Hecho" }).click();
  await expect(rows).toHaveCount(2);
  await expect(page.getByRole("heading", { name: "Por llamar" })).toBeFocused();
  expect(sent).toEqual([{ id: expect.stringMatching(/.{10}/), outcome: "done" }]);
  const toast = page.getByLabel("Notificaciones");
  await expect(toast).toContainText("Persona 0: hecho");
  await toast.getByRole("button", { name: "Deshacer" }).click();
  await expect(rows).toHaveCount(3);
  await expect(toast).toContainText("Deshecho");
});

test("an attempt can be taken back for ten seconds", async ({ page }) => {
  const attempt = { id: "a1", outcome: "done", at: new Date().toISOString() };
  await answer(page, { attempts: json(attempt) });
  await stopClock(page);
  await page.goto("/dashboard/hoy");
  const done = page.getByRole("button", { name: "Hecho" }).first();
  await tickUntil(page, done);
  await tickUntil(page, page.getByLabel("Notificaciones"));
  await done.click();
  const undo = page.getByLabel("Notificaciones").getByRole("button", { name: "Deshacer" });
  await tickUntil(page, undo);
  await page.clock.runFor(9_900);
  await expect(undo).toBeVisible();
  await page.clock.runFor(200);
  await expect(undo).toHaveCount(0);
});

test("says who else attends the person", async ({ page }) => {
  await answer(page, {
    attempts: failure(409, { message: "Ya atiende a esta persona: berta@clinica.example." }),
  });
  await page.goto("/dashboard/hoy");
  await page.getByRole("button", { name: "Mañana" }).first().click();
  await expect(page.getByLabel("Notificaciones")).toContainText("berta@clinica.example");
});

test("gives the queue page by page", async ({ page }) => {
  await answer(page, { waiting: queue([crisis, ...waitingPeople(59)]) });
  await page.goto("/dashboard/hoy");
  await expect(page.getByText("Se muestran 50 de 60")).toBeVisible();
  await page.getByRole("button", { name: "Cargar más" }).click();
  await expect(queueOf(page).getByRole("article")).toHaveCount(60);
});

test("says that it loads, that nobody waits, and what failed", async ({ page }) => {
  await answer(page, { waiting: neverAnswers });
  await page.goto("/dashboard/hoy");
  await expect(page.getByRole("status", { name: "Cargando a quién llamar" })).toBeVisible();
  await answer(page, { waiting: json(listOf([])) });
  await page.reload();
  await expect(page.getByText("Nadie espera una llamada")).toBeVisible();
  await expectAccessible(page);
  await answer(page, { waiting: failure(503) });
  await page.reload();
  await expect(page.getByRole("alert")).toContainText("No se pudo cargar a quién llamar.");
  await answer(page, { waiting: queue(everybody) });
  await page.getByRole("button", { name: "Reintentar" }).click();
  await expect(queueOf(page).getByRole("article")).toHaveCount(7);
});

test("a reader sees how many wait, and nobody", async ({ page }) => {
  await answer(page, {
    user: json(reader),
    waiting: json(listOf(everybody, { people: [] })),
  });
  await page.goto("/dashboard/hoy");
  await expect(page.getByRole("main")).toContainText("7 personas por llamar");
  await expect(page.getByRole("main")).toContainText("y no quiénes son");
  await expect(queueOf(page).getByRole("article")).toHaveCount(0);
});

test("begins at today once somebody chose that", async ({ page }) => {
  await page.goto("/login");
  await expect(page).toHaveURL("/dashboard");
  await page.goto("/dashboard/hoy");
  const choice = page.getByRole("button", { name: "Empezar aquí al iniciar sesión" });
  await expect(choice).toHaveAttribute("aria-pressed", "false");
  await choice.click();
  await page.goto("/login");
  await expect(page).toHaveURL("/dashboard/hoy");
});

test("says how long a first contact took, by weekday and by person", async ({ page }) => {
  await page.goto("/dashboard/hoy");
  const more = page.locator("summary", { hasText: "Primer contacto por día y por persona" });
  await more.focus();
  await page.keyboard.press("Enter");
  const rows = queueOf(page).getByRole("row");
  await expect(rows).toHaveText([
    "Día de llegadaMedianaContactos",
    "Lunes1 hora12",
    "Domingo17 horas3",
    "Quién atendióMedianaContactos",
    "recepcion@clinica.example1 hora15",
  ]);
  await expectAccessible(page, queueOf(page));
  await expectNoSidewaysScroll(page);
});
