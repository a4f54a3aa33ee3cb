import {
  answer,
  conversations,
  dashboard,
  failure,
  json,
  kpis,
  list,
  messages,
  silence,
  site,
} from "./answers";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./test";

test.beforeEach(async ({ page }) => {
  await answer(page, { ...site, ...dashboard });
});

test("shows the numbers", async ({ page }) => {
  await page.goto("/dashboard");
  const numbers = page.getByRole("region", { name: "Indicadores del período" });
  for (const text of [
    "Conversaciones Totales",
    "1,284",
    "En el período seleccionado",
    "Mensajes Enviados",
    "15,731",
    "12.3 promedio por conversación",
    "Leads Generados",
    "341",
    "26.6% tasa de conversión",
    "Citas Agendadas",
    "128",
    "Objetivo principal del chatbot",
  ]) {
    await expect(numbers.getByText(text, { exact: true })).toBeVisible();
  }
  await expect(page.getByRole("heading", { name: "Dashboard del Chatbot" })).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
});

test.describe("the monthly limit", () => {
  const limits = [
    { percentageUsed: 80, state: "normal", words: "Dentro del límite mensual" },
    { percentageUsed: 80.04, state: "warning", words: "Cerca del límite mensual" },
    {
      percentageUsed: 120,
      state: "reached",
      words: "Límite alcanzado - El chatbot está deshabilitado",
    },
  ];
  for (const { percentageUsed, state, words } of limits) {
    test(`is ${state} at ${percentageUsed} %`, async ({ page }) => {
      const monthlyLimit = {
        current: 10 * percentageUsed,
        limit: 1000,
        percentageUsed,
        remaining: Math.max(0, 1000 - 10 * percentageUsed),
        limitReached: percentageUsed >= 100,
      };
      await answer(page, { kpis: json({ ...kpis, monthlyLimit }) });
      await page.goto("/dashboard");
      const bar = page.getByRole("progressbar", { name: "Límite Mensual de Conversaciones" });
      await expect(bar).toHaveAttribute("aria-valuenow", String(Math.min(100, percentageUsed)));
      await expect(page.getByText(words, { exact: true })).toBeVisible();
      await expect(page.getByText(`${percentageUsed.toFixed(1)}% usado`)).toBeVisible();
      await expectAccessible(page);
    });
  }

  test("is absent where none is configured", async ({ page }) => {
    const { monthlyLimit: _, ...unlimited } = kpis;
    await answer(page, { kpis: json(unlimited) });
    await page.goto("/dashboard");
    await expect(page.getByText("1,284", { exact: true })).toBeVisible();
    await expect(page.getByText("Límite Mensual de Conversaciones")).toHaveCount(0);
  });
});

test("holds the places while loading", async ({ page }) => {
  await answer(page, { kpis: silence, conversations: silence });
  await page.goto("/dashboard");
  await expect(page.getByTestId("kpi-placeholders").locator("> div")).toHaveCount(8);
  await expect(page.getByTestId("row-placeholders").locator("> div")).toHaveCount(5);
  await expectAccessible(page);
});

test("falls back to zeros and offers to try again", async ({ page }) => {
  await answer(page, { kpis: failure(503), conversations: failure(503) });
  await page.goto("/dashboard");
  const numbers = page.getByRole("region", { name: "Indicadores del período" });
  await expect(numbers.getByText("0", { exact: true })).toHaveCount(4);
  await expect(numbers.getByText("0.0 promedio por conversación")).toBeVisible();
  await expect(page.getByText("No hay conversaciones en el período seleccionado")).toHaveCount(0);
  await expectAccessible(page);

  await answer(page, { kpis: json(kpis), conversations: list(conversations(2)) });
  await page.getByRole("button", { name: "Reintentar" }).first().click();
  await expect(numbers.getByText("1,284", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Reintentar" }).click();
  await expect(page.getByText("Mostrando 2 de 2")).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("says when the period is empty", async ({ page }) => {
  await answer(page, { conversations: list([]) });
  await page.goto("/dashboard");
  await expect(page.getByText("No hay conversaciones en el período seleccionado")).toBeVisible();
  await expectAccessible(page);
});

test("lists conversations page by page", async ({ page }) => {
  const all = conversations(137);
  await page.goto("/dashboard");
  const rows = page.getByRole("tabpanel").getByRole("listitem");
  await expect(rows).toHaveCount(50);
  const [first, , , , booked] = all;
  await expect(rows.nth(0)).toContainText(`Sesión #${first?.id}`);
  await expect(rows.nth(0)).toContainText("20 nov 2026, 18:12");
  await expect(rows.nth(0)).toContainText("3 mensajes");
  await expect(rows.nth(0)).not.toContainText("Lead");
  await expect(rows.nth(4)).toContainText(`${booked?.messageCount} mensajes`);
  await expect(rows.nth(4)).toContainText("Lead");
  await expect(rows.nth(4)).toContainText("Cita agendada");
  await expect(page.getByText("Mostrando 50 de 137")).toBeVisible();

  await page.getByRole("button", { name: "Cargar más" }).click();
  await expect(rows).toHaveCount(100);
  await page.getByRole("button", { name: "Cargar más" }).click();
  await expect(rows).toHaveCount(137);
  await expect(page.getByRole("button", { name: "Cargar más" })).toHaveCount(0);
  await expect(page.getByText(`Sesión #${all[136]?.id}`)).toHaveCount(1);
});

test("keeps what is listed when the next page fails", async ({ page }) => {
  await page.goto("/dashboard");
  const rows = page.getByRole("tabpanel").getByRole("listitem");
  await expect(rows).toHaveCount(50);
  await answer(page, { conversations: failure(503) });
  await page.getByRole("button", { name: "Cargar más" }).click();
  await expect(page.getByText("No se pudieron cargar las conversaciones.")).toBeVisible();
  await expect(rows).toHaveCount(50);
  await answer(page, { conversations: list(conversations(137)) });
  await page.getByRole("button", { name: "Reintentar" }).click();
  await expect(rows).toHaveCount(100);
});

test("shows rates and averages, and the total of the whole period", async ({ page }) => {
  await page.goto("/dashboard");
  await page.getByRole("tab", { name: "Conversaciones" }).press("ArrowRight");
  await expect(page.getByRole("tab", { name: "Analíticas" })).toBeFocused();
  const panel = page.getByRole("tabpanel", { name: "Analíticas" });
  const facts = {
    "Tasa de conversión de leads": "26.6%",
    "Mensajes por conversación": "12.3",
    "Interacciones totales": "15,731",
    "Sesiones activas": "137",
    "Citas completadas": "128",
    "Tiempo promedio": "134.8 segundos",
  };
  for (const [label, value] of Object.entries(facts)) {
    const fact = panel.locator("div", { has: page.getByText(label, { exact: true }) }).last();
    await expect(fact).toHaveText(`${label}${value}`);
  }
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
});

test.describe("a transcript", () => {
  const [, , , , booked] = conversations(5);
  const open = async (page: import("@playwright/test").Page, row = 4) => {
    await page.goto("/dashboard");
    await page.getByRole("button", { name: "Ver detalles" }).nth(row).click();
  };

  test("shows every message as text", async ({ page }) => {
    await open(page);
    const dialog = page.getByRole("dialog", { name: `Conversación #${booked?.id}` });
    await expect(dialog).toContainText("Historial completo de mensajes · 20 nov 2026, 15:44");
    const items = dialog.getByRole("listitem");
    await expect(items).toHaveCount(4);
    await expect(items.nth(0)).toContainText("Usuario · 18:12");
    await expect(items.nth(1)).toContainText("Bot (bitacora-embedded-1) · 18:12");
    await expect(items.nth(3)).toContainText("Bot · 18:13");
    await expect(dialog.getByTestId("message-text").nth(2)).toHaveText(messages[2]?.message ?? "");
    await expect(dialog.getByRole("link")).toHaveCount(1);
    await expect(dialog.getByText("Lead Generado")).toBeVisible();
    await expect(dialog.getByText("Cita Agendada")).toBeVisible();

    const history = dialog.getByTestId("history");
    expect((await history.boundingBox())?.height).toBe(500);
    const [user, bot] = [await items.nth(0).boundingBox(), await items.nth(1).boundingBox()];
    const area = await history.boundingBox();
    if (!user || !bot || !area) throw new Error("nothing to measure");
    expect(area.x + area.width - (user.x + user.width)).toBeLessThan(30);
    expect(bot.x - area.x).toBeLessThan(30);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });

  test("keeps the focus inside and gives it back", async ({ page }) => {
    await open(page, 1);
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByText("Lead Generado")).toBeVisible();
    await expect(dialog.getByText("Cita Agendada")).toHaveCount(0);
    await expect(dialog.getByRole("button", { name: "Cerrar" })).toBeFocused();
    for (let step = 0; step < 6; step++) {
      await page.keyboard.press("Tab");
      const outside = await page.evaluate(
        () =>
          document.activeElement?.closest("dialog, body > :not(#root)") === null &&
          document.activeElement !== document.body,
      );
      expect(outside).toBe(false);
    }
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(page.getByRole("button", { name: "Ver detalles" }).nth(1)).toBeFocused();
  });

  test("holds three places while loading", async ({ page }) => {
    await answer(page, { messages: silence });
    await open(page);
    await expect(page.getByTestId("message-placeholders").locator("> div")).toHaveCount(3);
  });

  test("says when there is nothing", async ({ page }) => {
    await answer(page, { messages: json([]) });
    await open(page);
    await expect(page.getByText("No se encontraron mensajes para esta conversación")).toBeVisible();
  });

  test("can be asked for again", async ({ page }) => {
    await answer(page, { messages: failure(503) });
    await open(page);
    await expect(page.getByRole("dialog").getByRole("alert")).toBeVisible();
    await expectAccessible(page);
    await answer(page, { messages: json(messages) });
    await page.getByRole("button", { name: "Reintentar" }).click();
    await expect(page.getByRole("dialog").getByRole("listitem")).toHaveCount(4);
  });
});

test.describe("the session", () => {
  test("is waited for with a spinner", async ({ page }) => {
    await answer(page, { user: silence });
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
    await expect(page.getByText("Mostrando 50 de 137")).toBeVisible();
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
});
