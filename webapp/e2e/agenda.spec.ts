import type { Page } from "@playwright/test";
import { agenda, outcomes } from "./agendaAnswers";
import { answer, dashboard, failure, json, neverAnswers, reader, site } from "./answers";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./test";

const windows = [
  { width: 390, height: 844 },
  { width: 1280, height: 900 },
];

const row = (page: Page, name: string) => page.getByRole("article", { name });

for (const window of windows) {
  test(`shows who comes, and records an outcome by one touch, at ${window.width}`, async ({
    page,
  }) => {
    await page.setViewportSize(window);
    await answer(page, { ...site, ...dashboard });
    const posted: unknown[] = [];
    const state = structuredClone(agenda);
    await answer(page, {
      agenda: (route) => json(state)(route),
      outcome: async (route) => {
        const body = route.request().postDataJSON();
        posted.push([new URL(route.request().url()).pathname.split("/").slice(-4), body]);
        const second = state.days[0]?.list?.[1];
        if (second) second.outcome = body.outcome;
        await json(body)(route);
      },
    });
    await page.goto("/dashboard/agenda");
    const today = page.getByRole("region", { name: "Hoy, 24 de noviembre" });
    await expect(today.getByRole("article")).toHaveCount(4);
    await expect(today.getByText("3 citas")).toBeVisible();
    await expect(today.getByRole("time")).toHaveText(["08:00", "09:00", "10:30", "15:00"]);
    await expect(page.getByText("No hay citas mañana")).toBeVisible();
    await expect(row(page, "Ana Ruiz")).toContainText("¿Cuánto cuesta la ortodoncia?");
    await expect(row(page, "Ana Ruiz").locator('a[href="tel:+50769001234"]')).toBeVisible();
    await expect(
      row(page, "Ana Ruiz").locator('a[href="https://wa.me/50769001234"]'),
    ).toBeVisible();
    await expect(row(page, "Luis Mora").getByRole("button")).toHaveText(["Canceló tarde"]);
    await expect(row(page, "Sin nombre").getByRole("button")).toHaveCount(0);
    await expectNoSidewaysScroll(page);

    const missed = row(page, "Íñigo").getByRole("button", { name: "No vino" });
    await missed.click();
    await expect(missed).toHaveAttribute("aria-pressed", "true");
    await page.getByRole("button", { name: "Deshacer" }).click();
    await expect(missed).toHaveAttribute("aria-pressed", "false");
    const address = ["c2", "booking", "b2", "outcome"];
    expect(posted).toEqual([
      [address, { outcome: "missed" }],
      [address, { outcome: "unknown" }],
    ]);
    await expectAccessible(page);
  });
}

test("an outcome that cannot be stored is taken back, with the server's reason", async ({
  page,
}) => {
  await answer(page, { ...site, ...dashboard, agenda: json(agenda), outcome: failure(503) });
  await page.goto("/dashboard/agenda");
  const came = row(page, "Íñigo").getByRole("button", { name: "Vino", exact: true });
  await came.click();
  await expect(page.getByText(/^No se pudo guardar el resultado/)).toBeVisible();
  await expect(came).toHaveAttribute("aria-pressed", "false");
});

test("counts without people for who sees none, waits, and says what failed", async ({ page }) => {
  const days = agenda.days.map(({ list: _, ...counted }) => counted);
  await answer(page, { ...site, ...dashboard, user: json(reader) });
  await answer(page, { agenda: neverAnswers });
  await page.goto("/dashboard/agenda");
  await expect(page.getByRole("status", { name: "Cargando la agenda" })).toBeVisible();
  await answer(page, { agenda: failure(503) });
  await page.reload();
  await expect(page.getByText("No se pudo cargar la agenda.")).toBeVisible();
  await answer(page, { agenda: json({ ...agenda, days }) });
  await page.getByRole("button", { name: "Reintentar" }).click();
  await expect(page.getByText("Vinieron 1 · No vinieron 0 · Cancelaron tarde 1")).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(0);
});

test("the analytics show how many did not come, and which ones most", async ({ page }) => {
  await answer(page, { ...site, ...dashboard, outcomes: json(outcomes) });
  await page.goto("/dashboard?vista=analiticas");
  const card = page.getByRole("region", { name: "Asistencia a las citas" });
  await expect(card.getByText("20.0%").first()).toBeVisible();
  await expect(card.getByRole("row", { name: /^Más de 7 días 18 6/ })).toBeVisible();
  await expect(card.getByRole("row", { name: /^Lunes 20 4/ })).toBeVisible();
  await expect(card.getByRole("row", { name: /^Sin especificar 5 0/ })).toBeVisible();
  await expectAccessible(page);
});
