import type { Locator } from "@playwright/test";
import {
  answer,
  conversations,
  dashboard,
  failure,
  json,
  kpis,
  list,
  neverAnswers,
  site,
} from "./answers";
import { expect, expectAccessible, expectNoSidewaysScroll, listRow, test } from "./test";

/** The name of the colour in which an element is filled. */
function nameOfColour(element: Element): string {
  const context = new OffscreenCanvas(1, 1).getContext("2d");
  if (!context) throw new Error("nothing to paint on");
  context.fillStyle = getComputedStyle(element).backgroundColor;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0] = context.getImageData(0, 0, 1, 1).data;
  if (red < green) return "green";
  return red < 2 * green ? "yellow" : "red";
}

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
  for (const name of ["Dashboard del Chatbot", "Conversaciones Recientes"]) {
    await expect(page.getByRole("heading", { name, exact: true })).toBeVisible();
  }
  await expect(page.getByText("Panel de control y analíticas del asistente virtual")).toBeVisible();
  const tab = page.getByRole("tab", { name: "Conversaciones" });
  await expect(tab).toHaveAttribute("aria-selected", "true");
  await expectNoSidewaysScroll(page);
});

test("fits the narrowest phones", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto("/dashboard");
  await expect(page.getByRole("tab", { name: /^Contactos.*nuevos/ })).toBeVisible();
  await expectNoSidewaysScroll(page);
});

test("says that a demo's patients are invented", async ({ page }) => {
  const line = page.getByText(/pacientes y conversaciones del canal «demo» son inventados/);
  await page.goto("/dashboard");
  await expect(page.getByText("1,284", { exact: true })).toBeVisible();
  await expect(line).toHaveCount(0);
  await answer(page, { kpis: json({ ...kpis, demo: true }) });
  await page.getByRole("button", { name: "Actualizar" }).click();
  await expect(line).toBeVisible();
  await page.emulateMedia({ media: "print" });
  await expect(line).toBeVisible();
  await page.emulateMedia({ media: "screen" });
  await expectAccessible(page, line);
  await expectNoSidewaysScroll(page);
});

test.describe("the monthly limit", () => {
  const states = [
    {
      used: { current: 800, percentageUsed: 80, remaining: 200 },
      texts: ["800 / 1,000", "80.0% usado · 200 conversaciones restantes"],
      words: "Dentro del límite mensual",
      colour: "green",
    },
    {
      used: { current: 801, percentageUsed: 80.04, remaining: 199 },
      texts: ["801 / 1,000", "80.0% usado · 199 conversaciones restantes"],
      words: "Cerca del límite mensual",
      colour: "yellow",
    },
    {
      used: { current: 1200, percentageUsed: 120, remaining: 0 },
      texts: ["1,200 / 1,000", "120.0% usado · 0 conversaciones restantes"],
      words: "Límite alcanzado - El chatbot está deshabilitado",
      colour: "red",
    },
  ];

  test("is told in numbers, words and colour", async ({ page }) => {
    const bar = page.getByRole("progressbar", { name: "Límite Mensual de Conversaciones" });
    const filled = bar.locator("> div");
    for (const [index, { used, texts, words, colour }] of states.entries()) {
      const monthlyLimit = { ...used, limit: 1000, limitReached: used.remaining === 0 };
      await answer(page, { kpis: json({ ...kpis, monthlyLimit }) });
      if (index === 0) await page.goto("/dashboard");
      else await page.getByRole("button", { name: "Actualizar" }).click();
      await expect(page.getByText(words, { exact: true })).toBeVisible();
      for (const text of texts) await expect(page.getByText(text, { exact: true })).toBeVisible();
      await expect(bar).toHaveAttribute("aria-valuenow", `${Math.min(100, used.percentageUsed)}`);
      const [whole, part] = [await bar.boundingBox(), await filled.boundingBox()];
      expect(part?.width).toBeLessThanOrEqual(whole?.width ?? 0);
      expect(await filled.evaluate(nameOfColour)).toBe(colour);
      const card = page.locator("div", { has: bar }).filter({ hasText: words });
      await expectAccessible(page, card.last());
    }
  });

  test("is absent where none is configured", async ({ page }) => {
    const { monthlyLimit: _, ...unlimited } = kpis;
    await answer(page, { kpis: json(unlimited) });
    await page.goto("/dashboard");
    await expect(page.getByText("1,284", { exact: true })).toBeVisible();
    await expect(page.getByText("Límite Mensual de Conversaciones")).toHaveCount(0);
  });
});

test("holds the places while loading", async ({ page }) => {
  await answer(page, { kpis: neverAnswers, conversations: neverAnswers });
  await page.goto("/dashboard");
  await expect(page.getByTestId("kpi-placeholders").locator("> div")).toHaveCount(8);
  await expect(page.getByTestId("row-placeholders").locator("> div")).toHaveCount(5);
});

test("falls back to zeros and offers to try again", async ({ page }) => {
  await answer(page, { kpis: failure(503), conversations: failure(503) });
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.goto("/dashboard");
  const numbers = page.getByRole("region", { name: "Indicadores del período" });
  await expect(numbers.getByText("0", { exact: true })).toHaveCount(4);
  await expect(numbers.getByText("0.0 promedio por conversación")).toBeVisible();
  await expect(page.getByText("No disponible. Se piden de nuevo")).toBeVisible();
  await expect(page.getByText("No hay conversaciones en el período seleccionado")).toHaveCount(0);
  // Neither a failure nor a look elsewhere asks again.
  await page.evaluate(() => {
    document.dispatchEvent(new Event("visibilitychange"));
    window.dispatchEvent(new Event("focus"));
  });
  for (const call of ["kpis", "conversations"]) {
    expect(asked.filter((path) => path === `/api/dashboard/${call}`)).toHaveLength(1);
  }

  await answer(page, { kpis: json(kpis), conversations: list(conversations(2)) });
  await page.getByRole("button", { name: "Reintentar" }).click();
  await expect(numbers.getByText("1,284", { exact: true })).toBeVisible();
  await expect(page.getByText("2 conversaciones", { exact: true })).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("says when the period is empty", async ({ page }) => {
  await answer(page, { conversations: list([]) });
  await page.goto("/dashboard");
  await expect(page.getByText("No hay conversaciones en el período seleccionado")).toBeVisible();
});

test("lists conversations as far as they are looked at", async ({ page }) => {
  const all = conversations(1370);
  const asked: string[] = [];
  await answer(page, {
    conversations: async (route) => {
      asked.push(new URL(route.request().url()).searchParams.get("offset") ?? "0");
      await list(all)(route);
    },
  });
  await page.goto("/dashboard");
  await expect(page.getByText("1,370 conversaciones", { exact: true })).toBeVisible();
  const row = await listRow(page, 1);
  await expect(row).toContainText(`Sesión #${all[0]?.id}`);
  await expect(row).toContainText("20 nov 2026, 18:12");
  await expect(row).toContainText("3 mensajes");
  await expect(row).not.toContainText("Lead");
  await expect(row).toHaveAttribute("aria-setsize", "1370");
  const booked = await listRow(page, 5);
  await expect(booked).toContainText(`${all[4]?.messageCount} mensajes`);
  await expect(booked).toContainText("Lead");
  await expect(booked).toContainText("Cita agendada");

  await expect(await listRow(page, 1370)).toContainText(`Sesión #${all[1369]?.id}`);
  expect(asked.filter((offset) => offset !== "0" && offset !== "1300")).toEqual([]);
  expect(await page.getByRole("tabpanel").getByRole("listitem").count()).toBeLessThan(60);
  const place = await page.evaluate(() => window.scrollY);
  await (await listRow(page, 1370)).getByRole("button", { name: "Ver detalles" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("1,370 de 1,370");
  await page.keyboard.press("ArrowLeft");
  await expect(dialog).toContainText("1,369 de 1,370");
  await page.goBack();
  await expect(dialog).toBeHidden();
  expect(Math.abs((await page.evaluate(() => window.scrollY)) - place)).toBeLessThan(400);
  await expectNoSidewaysScroll(page);
});

test("leads from row to row by key, and keeps the focus while the page scrolls", async ({
  page,
}) => {
  await page.goto("/dashboard");
  const details = (row: Locator) => row.getByRole("button", { name: "Ver detalles" });
  const first = await listRow(page, 1);
  await page.keyboard.press("j");
  await expect(details(first)).toBeFocused();
  await page.keyboard.press("j");
  await page.keyboard.press("k");
  await expect(details(first)).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(details(await listRow(page, 3))).toBeFocused();
  await page.keyboard.press("ArrowUp");
  const second = await listRow(page, 2);
  await expect(details(second)).toBeFocused();
  await listRow(page, 130);
  await expect(details(second)).toBeFocused();
});

test("paper says how many of the conversations are on it", async ({ page }) => {
  await page.goto("/dashboard");
  await listRow(page, 60);
  await page.emulateMedia({ media: "print" });
  const rows = page.getByRole("list", { name: "Conversaciones Recientes" }).getByRole("listitem");
  await expect(async () => {
    const words = `Se imprimen ${await rows.count()} de 137 conversaciones.`;
    await expect(page.getByText(words)).toBeVisible({ timeout: 1000 });
  }).toPass();
  await answer(page, { conversations: list(conversations(5)) });
  await page.emulateMedia({ media: "screen" });
  await page.reload();
  await expect(page.getByText("5 conversaciones", { exact: true })).toBeVisible();
  await page.emulateMedia({ media: "print" });
  await expect(rows).toHaveCount(5);
  await expect(page.getByText(/^Se imprimen/)).toHaveCount(0);
});

test("keeps what is listed when a further page fails", async ({ page }) => {
  const all = conversations(337);
  await answer(page, { conversations: list(all) });
  await page.goto("/dashboard");
  await listRow(page, 1);
  await answer(page, { conversations: failure(503) });
  await page.mouse.move(300, 500);
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await expect(page.getByText("No se pudieron cargar las conversaciones.")).toBeInViewport();
  await expect(page.getByText("337 conversaciones", { exact: true })).toBeAttached();
  await answer(page, { conversations: list(all) });
  await page.getByRole("button", { name: "Reintentar" }).click();
  await expect(await listRow(page, 337)).toContainText(`Sesión #${all[336]?.id}`);
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("shows rates and averages, and the total of the whole period", async ({ page }) => {
  await page.goto("/dashboard");
  await page.getByRole("tab", { name: "Conversaciones" }).press("ArrowRight");
  await expect(page.getByRole("tab", { name: "Analíticas" })).toBeFocused();
  const panel = page.getByRole("tabpanel", { name: "Analíticas" });
  const cards = {
    "Eficiencia del Chatbot": [
      "Tasa de conversión de leads26.6%",
      "Mensajes por conversación12.3",
      "Interacciones totales15,731",
    ],
    "Rendimiento del Sistema": [
      "Sesiones activas137",
      "Citas completadas128",
      "Tiempo promedio134.8 segundos",
    ],
  };
  for (const [title, facts] of Object.entries(cards)) {
    const heading = page.getByRole("heading", { level: 2, name: title, exact: true });
    const card = panel
      .locator("section, div", { has: heading })
      .filter({ has: page.locator("dl") });
    await expect(card.last().locator("dl > div")).toHaveText(facts);
  }
  await expectAccessible(page, panel);
  await expectNoSidewaysScroll(page);
});
