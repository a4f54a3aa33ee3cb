/**
 * From a visitor's message to the number on the dashboard, on a real server
 * that has imported the real chats beside the project.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Page } from "@playwright/test";
import type { components } from "../src/api/schema.gen";
import { formatMoment } from "../src/content/spanish";
import { expect, expectAccessible, listRow, test } from "./test";

interface Chat {
  readonly id: string;
  readonly startedAt: string;
  readonly messages: readonly { role: "user" | "assistant"; text: string; at: string }[];
}

const chats = readFileSync(
  resolve(import.meta.dirname, "../../../shared/data/appointment-chats-es.jsonl"),
  "utf8",
)
  .split("\n")
  .filter(Boolean)
  .map((line) => JSON.parse(line) as Chat);

async function signIn(page: Page): Promise<void> {
  await page.goto("/dashboard");
  await expect(page).toHaveURL(/\/login$/);
  await page.getByLabel("Correo electrónico").fill(process.env.E2E_STAFF_EMAIL ?? "");
  await page.getByLabel("Contraseña").fill(process.env.E2E_STAFF_PASSWORD ?? "");
  await page.getByRole("button", { name: "Iniciar sesión" }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByText("Bienvenido al dashboard")).toBeVisible();
}

/** Chooses a day in the calendar, which shows its month on the left side. */
async function chooseDay(page: Page, year: string, month: string, day: string): Promise<void> {
  const calendar = page.getByRole("dialog", { name: "Elegir período" });
  await calendar.getByLabel("Elegir el año").first().selectOption(year);
  await calendar.getByLabel("Elegir el mes").first().selectOption({ label: month });
  await calendar
    .getByRole("grid", { name: new RegExp(month, "i") })
    .getByRole("button", { name: new RegExp(`(^|\\D)${day} de ${month} de ${year}`, "i") })
    .click();
}

async function factOf(page: Page, label: string): Promise<string | null> {
  const panel = page.getByRole("tabpanel", { name: "Analíticas" });
  const fact = panel.locator("div", { has: page.getByText(label, { exact: true }) }).last();
  return fact.locator("dd").textContent();
}

interface ListedRow {
  readonly messages: number;
  readonly start: string;
}

/** What the first rows of the conversation list say, as a reader sees who scrolls through them. */
async function readRows(page: Page, count: number): Promise<ListedRow[]> {
  const rows = new Map<number, ListedRow>();
  const screenful = 8;
  for (let place = 1; place < count + screenful; place += screenful) {
    const row = await listRow(page, Math.min(place, count));
    const drawn = await row.locator("xpath=../li").evaluateAll((items) =>
      items.map((item) => ({
        place: Number(item.ariaPosInSet),
        start: item.querySelector("time")?.textContent ?? "",
        messages: Number.parseInt(
          [...item.querySelectorAll("*")]
            .map(({ textContent }) => textContent)
            .find((text) => /^\d+ mensajes$/.test(text)) ?? "",
          10,
        ),
      })),
    );
    for (const { place, ...said } of drawn) rows.set(place, said);
  }
  return [...rows].sort(([a], [b]) => a - b).map(([, said]) => said);
}

test("the imported chats are the numbers, the list and the transcripts", async ({ page }) => {
  test.setTimeout(120_000);
  await signIn(page);
  await page.getByRole("button", { name: /^Período:/ }).click();
  await chooseDay(page, "2020", "julio", "1");
  await chooseDay(page, "2020", "agosto", "31");
  await expect(page.getByRole("button", { name: /^Período:/ })).toHaveText(
    "1 jul 2020 – 31 ago 2020",
  );

  const numbers = page.getByRole("region", { name: "Indicadores del período" });
  await expect(numbers.getByText("100", { exact: true })).toBeVisible();
  await expect(numbers.getByText("1,223", { exact: true })).toBeVisible();
  await expect(numbers.getByText("12.2 promedio por conversación")).toBeVisible();

  await page.getByRole("tab", { name: "Analíticas" }).click();
  await expect(async () => expect(await factOf(page, "Sesiones activas")).toBe("100")).toPass();
  expect(await factOf(page, "Interacciones totales")).toBe("1,223");
  expect(await factOf(page, "Mensajes por conversación")).toBe("12.2");
  expect(await factOf(page, "Tiempo promedio")).toBe("134.8 segundos");

  await page.getByRole("tab", { name: "Conversaciones" }).click();
  await expect(page.getByText("100 conversaciones", { exact: true })).toBeVisible();
  const listed = await readRows(page, chats.length);
  expect(listed.reduce((sum, { messages }) => sum + messages, 0)).toBe(1223);

  const newestFirst = [...chats].sort((a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt));
  const starts = newestFirst.map(({ startedAt }) => formatMoment(new Date(startedAt)));
  expect(listed.map(({ start }) => start)).toEqual(starts);
  await expectAccessible(page);

  // Chats that began in the same minute stand in the order of ids that the file does not know.
  const alone = newestFirst.filter(
    ({ startedAt }) => chats.filter((chat) => chat.startedAt === startedAt).length === 1,
  );
  for (const chat of [alone[0], alone[40], alone.at(-1)]) {
    if (!chat) throw new Error("the file has fewer chats than expected");
    const index = newestFirst.indexOf(chat);
    await (await listRow(page, index + 1)).getByRole("button", { name: "Ver detalles" }).click();
    const dialog = page.getByRole("dialog", { name: /^Conversación #/ });
    const messages = dialog.getByRole("listitem");
    await expect(messages).toHaveCount(chat.messages.length);
    expect(await dialog.getByTestId("message-text").allTextContents()).toEqual(
      chat.messages.map(({ text }) => text),
    );
    expect(await messages.evaluateAll((items) => items.map((item) => item.dataset.from))).toEqual(
      chat.messages.map(({ role }) => (role === "user" ? "user" : "bot")),
    );
    const times = await messages.locator("time").allInnerTexts();
    expect(times).toEqual(
      chat.messages.map(({ at }) => formatMoment(new Date(at)).split(", ").at(-1)),
    );
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    // Closing is a step back in the history, which puts the page where it stood.
    await expect(page).not.toHaveURL(/conversacion=/);
  }
});

test("single days agree with the file", async ({ page }) => {
  await signIn(page);
  const perDay = new Map<string, number>();
  for (const { startedAt } of chats) {
    const day = startedAt.slice(0, 10);
    perDay.set(day, (perDay.get(day) ?? 0) + 1);
  }
  const busiest = [...perDay].sort(([, a], [, b]) => b - a).slice(0, 3);
  for (const [day, count] of busiest) {
    await page.goto(`/dashboard?desde=${day}&hasta=${day}`);
    const cards = page.getByRole("region", { name: "Indicadores del período" });
    await expect(cards.locator("dd").first()).toHaveText(String(count));
    await expect(page.getByText(`${count} conversaciones`, { exact: true })).toBeVisible();
  }
});

test("the chart, the week and the file add up to the numbers", async ({ page }) => {
  await signIn(page);
  await page.goto("/dashboard?desde=2020-07-01&hasta=2020-08-31");
  await page.getByRole("button", { name: "Ver datos en tabla" }).click();
  const table = page.getByRole("figure").getByRole("table");
  const sum = (values: string[]) => values.reduce((total, value) => total + Number(value), 0);
  for (const [label, metric, count] of [
    ["Conversaciones Totales", "Conversaciones", 100],
    ["Mensajes Enviados", "Mensajes", 1223],
  ] as const) {
    await page.getByRole("button", { name: `${label}: Ver ${metric} en la gráfica` }).click();
    for (const interval of ["Día", "Semana", "Mes"]) {
      await page.getByRole("button", { name: interval, exact: true }).click();
      const title = `${metric} por ${interval.toLowerCase()}`;
      await expect(page.getByRole("figure", { name: title })).toBeVisible();
      const values = await table.locator("tbody td:nth-child(2)").allInnerTexts();
      expect(sum(values.map((value) => value.replace(",", "")))).toBe(count);
    }
  }

  await page.getByRole("tab", { name: "Analíticas" }).click();
  const week = page.getByRole("region", { name: "Cuándo escriben" }).getByRole("table");
  const cells = week.getByRole("button");
  await expect(cells).toHaveCount(168);
  expect(sum(await cells.allInnerTexts())).toBe(100);

  await page.getByRole("tab", { name: "Conversaciones" }).click();
  await page.getByRole("button", { name: "Fuera de horario", exact: true }).click();
  const shown = page.getByText(/^\d+ conversaciones$/);
  await expect(shown).not.toHaveText("100 conversaciones");
  const listed = Number.parseInt((await shown.textContent()) ?? "", 10);
  await page.getByRole("button", { name: "Exportar" }).click();
  for (const [format, lines] of [
    ["CSV", listed + 1],
    ["JSON lines", listed],
  ] as const) {
    const link = page.getByRole("link", { name: `Conversaciones en ${format}` });
    const file = await page.request.get((await link.getAttribute("href")) ?? "");
    expect((await file.text()).trimEnd().split("\n")).toHaveLength(lines);
  }
});

test("what a visitor writes arrives on the dashboard", async ({ page }) => {
  const question = `¿Cuál es el horario de los sábados? ${crypto.randomUUID()}`;
  await page.goto("/");
  await page.getByRole("button", { name: "Abrir el asistente virtual" }).click();
  await page.getByLabel("Tu mensaje").fill(question);
  await page.getByLabel("Tu mensaje").press("Enter");
  const bubbles = page.getByRole("log").locator("[data-from]");
  await expect(bubbles).toHaveCount(3);
  await expect(page.getByRole("log")).not.toContainText("dificultades técnicas");
  const reply = (await bubbles.last().textContent())?.replace(/^Asistente:\s*/, "") ?? "";

  await signIn(page);
  type Summary = components["schemas"]["ConversationSummary"];
  type Message = components["schemas"]["ConversationMessage"];
  let found: { id: string; messages: Message[] } | undefined;
  await expect(async () => {
    const recent = await page.request.get("/api/dashboard/conversations?limit=20");
    for (const { id } of (await recent.json()) as Summary[]) {
      const answer = await page.request.get(`/api/dashboard/conversation/${id}/messages`);
      const messages = (await answer.json()) as Message[];
      if (messages.some(({ message }) => message === question)) found = { id, messages };
    }
    expect(found?.messages).toHaveLength(2);
  }).toPass();
  if (!found) throw new Error("unreachable");

  await page.getByRole("button", { name: "Actualizar" }).click();
  const row = page.getByRole("listitem").filter({ hasText: found.id });
  await expect(row).toContainText("2 mensajes");
  await row.getByRole("button", { name: "Ver detalles" }).click();
  const texts = page.getByRole("dialog").getByTestId("message-text");
  await expect(texts).toHaveCount(2);
  await expect(texts.first()).toHaveText(question);
  await expect(texts.last()).toHaveText(reply);
  await expectAccessible(page);
});

test("a wrong password does not open the door, and the logout closes it", async ({ page }) => {
  await page.goto("/login");
  await page.getByLabel("Correo electrónico").fill("nadie@clinica.example");
  await page.getByLabel("Contraseña").fill("una contraseña equivocada");
  await page.getByRole("button", { name: "Iniciar sesión" }).click();
  await expect(page.getByText("Credenciales inválidas")).toBeVisible();
  await signIn(page);
  await page.getByRole("button", { name: "Cerrar Sesión" }).click();
  await expect(page).toHaveURL(/\/login$/);
  await page.goto("/dashboard");
  await expect(page).toHaveURL(/\/login$/);
});
