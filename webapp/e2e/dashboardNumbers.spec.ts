/** What the dashboard does beyond showing its four numbers and the list. */
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
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
import { comparison, funnel } from "./dashboardAnswers";
import { expect, expectAccessible, expectNoSidewaysScroll, listRow, test } from "./test";

const now = new Date("2026-11-21T03:30:00.250Z"); // 20 November, 22:30 in Panama

test.beforeEach(async ({ page }) => {
  await page.clock.setFixedTime(now);
  await answer(page, { ...site, ...dashboard, kpis: json({ ...kpis, comparison }) });
});

const numbers = (page: Page) => page.getByRole("region", { name: "Indicadores del período" });
const rows = (page: Page) => page.getByRole("tabpanel").getByRole("listitem");
const filters = (page: Page) => page.getByRole("list", { name: "Filtros activos" });

/** The parameters with which a call is made from now on, the last one last. */
function watch(page: Page, call: string): URLSearchParams[] {
  const asked: URLSearchParams[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === `/api/dashboard/${call}`) asked.push(searchParams);
  });
  return asked;
}

test("compares the numbers, draws the chosen one and tells how it comes about", async ({
  page,
}) => {
  const asked = watch(page, "kpis");
  await page.goto("/dashboard");
  for (const change of ["+12.0%", "−1.6%", "+23.6%", "+2.5\u00a0pp", "nuevo"]) {
    await expect(numbers(page).getByText(change)).toBeVisible();
  }
  await expect(page.getByText("Comparado con 22 sep 2026 – 22 oct 2026")).toBeVisible();
  await expect(page.getByRole("figure", { name: "Conversaciones por día" })).toBeVisible();
  await expect(page.locator(".recharts-line-curve").first()).toBeAttached();

  const leads = page.getByRole("button", { name: "Leads Generados: Ver Leads en la gráfica" });
  await leads.click();
  await expect(leads).toHaveAttribute("aria-pressed", "true");
  await expect(page).toHaveURL(/\?metrica=leads$/);
  const figure = page.getByRole("figure", { name: "Leads por día" });
  await expect(figure).toContainText("341 en total");

  await page.getByLabel("Comparar").selectOption("Con los mismos días de la semana");
  await expect(() => expect(asked.at(-1)?.get("compare")).toBe("weekday")).toPass();
  await page.getByLabel("Comparar").selectOption("Sin comparar");
  await expect(() => expect(asked.at(-1)?.has("compare")).toBe(false)).toPass();

  await page.getByRole("button", { name: "¿Cómo se calcula? Leads Generados" }).click();
  const explanation = page.getByRole("dialog", { name: "Leads Generados" });
  await expect(explanation).toContainText("Tasa = 100 × leads ÷ conversaciones");
  await expect(explanation).toContainText("America/Panama");
  await expect(explanation).toContainText("20 nov 2026, 18:41 · posición 48,211 del registro");
  await expectAccessible(page, explanation);
  await page.keyboard.press("Escape");
  await expect(explanation).toBeHidden();
});

test("shows the series as a table that adds up, as a file, and zooms into a day", async ({
  page,
}) => {
  const asked = watch(page, "timeseries");
  await page.goto("/dashboard?metrica=leads");
  await page.getByRole("button", { name: "Semana" }).click();
  await expect(() => expect(asked.at(-1)?.get("interval")).toBe("week")).toPass();
  await page.getByRole("button", { name: "Ver datos en tabla" }).click();
  const table = page.getByRole("figure").getByRole("table");
  const values = await table.locator("tbody td:nth-child(2)").allInnerTexts();
  expect(values).toHaveLength(30);
  expect(values.reduce((sum, value) => sum + Number(value), 0)).toBe(341);
  await expect(table.locator("tfoot td").first()).toHaveText("341");
  await expectAccessible(page, page.getByRole("figure"));
  await expectNoSidewaysScroll(page);

  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Descargar CSV" }).click(),
  ]);
  expect(file.suggestedFilename()).toBe("bitacora-serie-2026-10-21-2026-11-20.csv");
  expect(readFileSync(await file.path(), "utf8").split("\r\n")).toHaveLength(32);

  await page.getByRole("button", { name: "Acercarse a 18 nov 2026" }).click();
  await expect(page).toHaveURL(/desde=2026-11-18&hasta=2026-11-18/);
  await expect(() => {
    expect(asked.at(-1)?.get("startDate")).toBe("2026-11-18T05:00:00.000Z");
    expect(asked.at(-1)?.has("interval")).toBe(false);
  }).toPass();
});

test("draws a rate with its whole, in its own unit", async ({ page }) => {
  await page.goto("/dashboard");
  await page.getByLabel("Número de la gráfica").selectOption("Aprobación");
  await expect(page).toHaveURL(/\?metrica=aprobacion$/);
  const figure = page.getByRole("figure", { name: "Aprobación por día" });
  await expect(figure).toContainText("81.4% en el período; lo más alto, 83.0%");
  await figure.getByRole("button", { name: "Ver datos en tabla" }).click();
  await expect(figure.locator("tfoot td")).toHaveText(["81.4%", "79.3%", "Sube +2.1\u00a0pp"]);
  await page.getByLabel("Número de la gráfica").selectOption("Primer contacto");
  await expect(page.getByRole("figure").locator("tfoot td").first()).toHaveText("2.1 h");
  await page.getByRole("button", { name: "¿Cómo se calcula? Tiempo hasta el primer" }).click();
  await expect(page.getByRole("dialog")).toContainText("Mediana del tiempo");
  await expectAccessible(page, page.getByRole("dialog"));
});

test("writes notes into the chart and removes them", async ({ page }) => {
  await page.goto("/dashboard");
  const sent: unknown[] = [];
  await page.route("**/api/dashboard/chart-notes/*", (route) => {
    sent.push(route.request().postDataJSON());
    return route.fulfill({ status: 204 });
  });
  await page.getByRole("button", { name: "Notas", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Notas de la gráfica" });
  await expect(dialog.getByRole("listitem")).toContainText("2 nov 2026 – 15 nov 2026");
  await expectAccessible(page, dialog);
  await expectNoSidewaysScroll(page);
  await dialog.getByRole("button", { name: "Guardar" }).click();
  await expect(dialog.getByRole("alert")).toHaveText("Escriba la nota y sus días.");
  await dialog.getByRole("button", { name: "Quitar: Campaña de ortodoncia" }).click();
  await dialog.getByLabel("Nota").fill("Obra en la calle");
  await dialog.getByLabel("Desde").fill("2026-11-10");
  await dialog.getByRole("button", { name: "Guardar" }).click();
  await expect(dialog).toBeHidden();
  expect(sent).toEqual([
    { startDay: "2026-11-02", endDay: "2026-11-15", text: "" },
    { startDay: "2026-11-10", endDay: "2026-11-10", text: "Obra en la calle" },
  ]);
});

test("leads through the chart by keys", async ({ page }) => {
  await page.goto("/dashboard?metrica=leads");
  const figure = page.getByRole("figure", { name: "Leads por día" });
  await expect(figure.locator(".recharts-surface").first()).toBeVisible();
  await page.getByLabel("Número de la gráfica").focus();
  const chart = figure.getByRole("application");
  for (let tabs = 0; tabs < 5; tabs++) {
    if (await chart.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press("Tab");
  }
  await expect(chart).toBeFocused();
  expect(await chart.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe("solid");
  const told = figure.locator("[aria-live=polite]");
  for (const [key, words] of [
    ["ArrowLeft", "20 nov 2026: "],
    ["ArrowRight", "20 nov 2026: "],
    ["Home", "22 oct 2026: 12 (comparado: 9)"],
    ["ArrowRight", "23 oct 2026: 12 (comparado: 10)"],
    ["ArrowLeft", "22 oct 2026: 12 (comparado: 9)"],
    ["End", "20 nov 2026: "],
    ["ArrowLeft", "19 nov 2026: "],
  ] as const) {
    await page.keyboard.press(key);
    await expect(told).toContainText(words);
  }
  await expectAccessible(page, figure);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/desde=2026-11-19&hasta=2026-11-19/);
});

test("opens the conversations behind a number, filters them and gives them as a file", async ({
  page,
}) => {
  const [listed, counted] = [watch(page, "conversations"), watch(page, "kpis")];
  await page.goto("/dashboard?vista=analiticas");
  await page.getByRole("button", { name: "Ver 341: Leads Generados" }).click();
  await expect(page).toHaveURL(/\?lead=si$/);
  await expect(filters(page)).toHaveText("Con lead");
  await expect(() => expect(listed.at(-1)?.get("lead")).toBe("true")).toPass();
  expect(counted.at(-1)?.has("lead")).toBe(false);

  const search = page.getByRole("searchbox", { name: "Buscar en los mensajes" });
  await search.fill("muela");
  await page.getByLabel("Tema").selectOption({ label: "Precios (318)" });
  await page.getByRole("button", { name: "Fuera de horario", exact: true }).click();
  await page.getByLabel("Duración").selectOption("Más de 5 minutos");
  await expect(async () => {
    expect(Object.fromEntries(listed.at(-1) ?? [])).toMatchObject({
      lead: "true",
      q: "muela",
      topic: "precios",
      outOfHours: "true",
      minDuration: "300",
    });
  }).toPass();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  await page.getByRole("button", { name: "Exportar" }).click();
  const file = page.getByRole("link", { name: "Conversaciones en CSV" });
  const address = new URL((await file.getAttribute("href")) ?? "", page.url());
  expect(address.pathname).toBe("/api/dashboard/export");
  expect(Object.fromEntries(address.searchParams)).toEqual({
    ...Object.fromEntries([...(listed.at(-1) ?? [])].filter(([name]) => name !== "limit")),
    format: "csv",
    rows: "conversations",
  });
  await expect(page.getByRole("link", { name: /Parquet$/ })).toHaveCount(2);
  await expect(file).toBeInViewport({ ratio: 1 });
  await page.keyboard.press("Escape");

  await page.getByLabel("Aplicar también a indicadores y gráficas").check();
  await expect(() => expect(counted.at(-1)?.get("topic")).toBe("precios")).toPass();
  await page.getByRole("button", { name: "Quitar el filtro Con lead" }).first().click();
  await expect(() => expect(counted.at(-1)?.has("lead")).toBe(false)).toPass();
  await page.getByRole("button", { name: "Quitar todos" }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.goBack();
  await expect(filters(page).first()).toContainText("Tema: Precios");
});

test("says since when visits are counted, and lists what was counted", async ({ page }) => {
  const since = "2026-11-03T15:12:05.123Z";
  const listed = watch(page, "conversations");
  await answer(page, { funnel: json({ ...funnel, startDate: since, visitsSince: since }) });
  await page.goto("/dashboard?vista=analiticas&desde=2026-10-01&hasta=2026-11-20");
  const card = page.getByRole("region", { name: "Embudo", exact: true });
  await expect(card).toContainText(
    "Desde el 3 nov 2026, cuando se empezaron a contar las visitas.",
  );
  await card.getByRole("button", { name: /341: Leads$/ }).click();
  await expect(page.getByRole("button", { name: /^Período:/ })).toHaveText(
    "3 nov 2026, 10:12 – 20 nov 2026",
  );
  await expect.poll(() => listed.at(-1)?.get("startDate")).toBe("2026-11-03T15:12:05.123Z");
  expect(listed.at(-1)?.get("lead")).toBe("true");

  await answer(page, { funnel: json({ ...funnel, steps: funnel.steps.slice(2) }) });
  await page.goto("/dashboard?vista=analiticas&desde=2026-07-01&hasta=2026-07-20");
  await expect(card).toContainText("En este período todavía no se contaban las visitas.");
  await expect(card).not.toContainText("Visitas");
});

test("tells when people write and what they ask", async ({ page }) => {
  const listed = watch(page, "conversations");
  await page.goto("/dashboard?vista=analiticas");
  const panel = page.getByRole("tabpanel", { name: "Analíticas" });
  const card = (name: string) => panel.getByRole("region", { name, exact: true });

  await expect(card("Embudo").getByRole("listitem")).toHaveText([
    "Visitas21,400100.0%",
    "Abrieron el chat3,21015.0%15.0% del paso anterior",
    "Conversaciones1,2846.0%40.0% del paso anterior",
    "Con consentimiento4021.9%31.3% del paso anterior",
    "Leads3411.6%84.8% del paso anterior",
    "Citas1280.6%37.5% del paso anterior",
  ]);
  await expect(card("Calidad del asistente")).toContainText("1.61 s");
  await expect(card("Calidad del asistente")).toContainText("21 (0.3%)");
  await expect(card("De qué preguntan").locator("tbody tr")).toHaveCount(8);
  await expect(card("De qué preguntan").locator("tbody")).not.toContainText(/Saludos|Agradecim/);
  await expect(card("De qué preguntan").getByText("Cortesías, aparte:")).toHaveText(
    "Cortesías, aparte:Saludos 512Agradecimientos 77",
  );
  await expect(card("Mientras la clínica estaba cerrada")).toContainText("147");
  await expectNoSidewaysScroll(page);
  await page.getByRole("button", { name: "Modo oscuro" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expectAccessible(page, panel);

  const cells = card("Cuándo escriben").getByRole("table").getByRole("button");
  await expect(cells).toHaveCount(168);
  const cell = card("Cuándo escriben").getByRole("button", { name: /^Lunes, 09:00: 8 conv/ });
  await cell.focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  const second = card("Cuándo escriben").getByRole("button", { name: /^Martes, 10:00/ });
  await expect(second).toBeFocused();
  await second.click();
  await expect(() => {
    expect(listed.at(-1)?.get("weekday")).toBe("2");
    expect(listed.at(-1)?.get("hour")).toBe("10");
  }).toPass();
  await expect(filters(page)).toContainText("De 10:00 a 11:00");
});

test("keeps the open conversation in the address, and leads to its neighbours", async ({
  page,
}) => {
  const all = conversations(137);
  await page.goto(`/dashboard?conversacion=${all[1]?.id}`);
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("2 de 137");
  await expect(dialog).toContainText("Lead Generado");
  await page.keyboard.press("ArrowRight");
  await expect(page).toHaveURL(new RegExp(`conversacion=${all[2]?.id}`));
  await expect(dialog).toContainText("3 de 137");
  await dialog.getByRole("button", { name: "Conversación anterior" }).click();
  await page.keyboard.press("ArrowLeft");
  await expect(dialog).toContainText("1 de 137");
  await expect(dialog.getByRole("button", { name: "Conversación anterior" })).toBeDisabled();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/\/dashboard$/);

  await (await listRow(page, 5)).getByRole("button", { name: "Ver detalles" }).click();
  await expect(dialog).toContainText("5 de 137");
  await page.goBack();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/\/dashboard$/);
});

test("copies the link to what is shown", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/dashboard?desde=2026-10-01&hasta=2026-10-31&lead=si");
  const copy = page.getByRole("button", { name: "Copiar el enlace" });
  await copy.click();
  await expect(page.getByLabel("Notificaciones")).toContainText("Enlace copiado");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
  await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  await copy.click();
  await expect(page.getByLabel("Notificaciones")).toContainText("no dejó copiar el enlace");
});

test("offers the frequent periods, also by key", async ({ page }) => {
  const asked = watch(page, "kpis");
  await page.goto("/dashboard?metrica=citas");
  await expect(page.getByRole("button", { name: "30 días", exact: true })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  await page.getByRole("button", { name: "Mes pasado" }).click();
  await expect(page).toHaveURL(/\?desde=2026-10-01&hasta=2026-10-31&metrica=citas$/);
  await expect(() =>
    expect(asked.at(-1)?.get("endDate")).toBe("2026-11-01T04:59:59.999Z"),
  ).toPass();
  await page.keyboard.press("h");
  await expect(page).toHaveURL(/desde=2026-11-20&hasta=2026-11-20/);
  await page.keyboard.press("3");
  await expect(page).toHaveURL(/\/dashboard\?metrica=citas$/);
  await page.keyboard.press("b");
  const search = page.getByRole("searchbox");
  await expect(search).toBeFocused();
  await page.keyboard.type("ah7");
  await expect(search).toHaveValue("ah7");
  await search.blur();

  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Atajos de teclado" });
  await help.getByLabel("Usar atajos de una sola tecla").uncheck();
  await expectAccessible(page, help);
  await page.keyboard.press("Escape");
  await page.keyboard.press("7");
  await page.getByRole("button", { name: "Ayer" }).click();
  await expect(page).toHaveURL(/desde=2026-11-19&hasta=2026-11-19/);
});

test("renews itself without moving what is read, and dims what is old", async ({ page }) => {
  let tell: (event: string) => void = () => {};
  const told = new Promise<string>((resolve) => {
    tell = resolve;
  });
  await answer(page, {
    live: async (route) =>
      route.fulfill({
        contentType: "text/event-stream",
        body: `event: data\ndata: ${await told}\n\n`,
      }),
  });
  await page.goto("/dashboard");
  await expect(rows(page).first()).toContainText("3 mensajes");
  const [first] = conversations(1, -1);
  if (!first) throw new Error("unreachable");
  const dataThrough = { position: 48212, time: "2026-11-21T03:29:00.000Z" };
  await answer(page, {
    kpis: json({ ...kpis, totalConversations: 1285, dataThrough }),
    conversations: list([{ ...first, id: "c-nueva" }, ...conversations(137)]),
  });
  tell(JSON.stringify(dataThrough));
  await expect(numbers(page).getByText("1,285", { exact: true })).toBeVisible();
  await expect(page.getByText("Datos hasta 20 nov 2026, 22:29")).toBeVisible();
  await expect(rows(page).first()).toContainText("c-nueva");
  await expect(page.getByText("138 conversaciones", { exact: true })).toBeVisible();

  await answer(page, { kpis: neverAnswers });
  await page.getByRole("button", { name: "7 días" }).click();
  await expect(numbers(page)).toHaveAttribute("aria-busy", "true");
  await expect(numbers(page).getByText("1,285", { exact: true })).toBeVisible();
});

test("says so when what is shown could not be renewed", async ({ page }) => {
  await answer(page, { live: failure(503) });
  await page.goto("/dashboard?desde=2026-11-01&hasta=2026-11-20");
  await expect(numbers(page).getByText("1,284", { exact: true })).toBeVisible();
  await expect(page.getByTitle("Se actualiza cada medio minuto.")).toHaveText(/^Datos hasta/);
  await answer(page, { kpis: failure(503), timeseries: failure(503) });
  await page.getByRole("button", { name: "Actualizar" }).click();
  await expect(
    page.getByText(
      "No se pudieron actualizar los indicadores. Se muestra lo último que se conoce: 1",
    ),
  ).toBeVisible();
  await expect(
    page.getByText("No se pudo actualizar la gráfica. Se muestra lo último que se conoce: 1 nov"),
  ).toBeVisible();
  await expect(numbers(page).getByText("1,284", { exact: true })).toBeVisible();
  await expectAccessible(page);
});
