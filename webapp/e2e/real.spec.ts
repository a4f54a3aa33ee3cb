/**
 * From a visitor's message to the number on the dashboard, on a real server
 * that has imported the chats in the files that E2E_CHATS names.
 */
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, delimiter } from "node:path";
import type { Locator, Page } from "@playwright/test";
import type { components } from "../src/api/schema.gen";
import { formatMoment } from "../src/content/dates";
import "./setClinic";
import { expect, expectAccessible, listRow, ownerEmail, signIn, staffEmail, test } from "./test";

interface Chat {
  readonly id: string;
  readonly messages: readonly { role: "user" | "assistant"; text: string; at: string }[];
  readonly lead?: object;
}

/** The chats of a file, each from the visitor's first message on, in the order in which they began. */
function readChats(file: string): Chat[] {
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return lines
    .map((line) => {
      const chat = JSON.parse(line) as Chat;
      return { ...chat, messages: chat.messages.slice(chat.messages.findIndex(isVisitors)) };
    })
    .sort((a, b) => Date.parse(begin(a)) - Date.parse(begin(b)));
}

const isVisitors = ({ role }: { readonly role: string }) => role === "user";
const begin = ({ messages }: Chat) => messages[0]?.at ?? "";
const panama = new Intl.DateTimeFormat("en-CA", { timeZone: "America/Panama" });
/** The day in Panama on which a chat began: 2020-08-07. */
const dayOf = (chat: Chat) => panama.format(new Date(begin(chat)));

/** The first or the last day of the month of a day. */
function edgeOfMonth(day: string, edge: "first" | "last"): Date {
  const [year = 0, month = 0] = day.split("-").map(Number);
  return new Date(Date.UTC(year, edge === "first" ? month - 1 : month, edge === "first" ? 1 : 0));
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const average = (values: readonly number[]) => (sum(values) / values.length).toFixed(1);
const grouped = (count: number) => count.toLocaleString("en-US");

/** The seconds between a chat's messages; a pause counts half an hour at most. */
function activeSeconds({ messages }: Chat): number {
  const times = messages.map(({ at }) => Date.parse(at) / 1000);
  return sum(times.slice(1).map((time, index) => Math.min(time - (times[index] ?? 0), 1800)));
}

/** Chooses a day in the calendar, which shows its month on the left side. */
async function chooseDay(page: Page, chosen: Date): Promise<void> {
  const year = String(chosen.getUTCFullYear());
  const month = chosen.toLocaleDateString("es", { month: "long", timeZone: "UTC" });
  const day = chosen.getUTCDate();
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

const named = (day: Date) =>
  day.toLocaleDateString("es", {
    day: "numeric",
    month: "short",
    year: "numeric",
    timeZone: "UTC",
  });
const isoDay = (day: Date) => day.toISOString().slice(0, 10);

for (const file of (process.env.E2E_CHATS ?? "").split(delimiter).filter(Boolean)) {
  const chats = readChats(file);
  const messageCount = sum(chats.map(({ messages }) => messages.length));
  const perChat = average(chats.map(({ messages }) => messages.length));
  const from = edgeOfMonth(dayOf(chats[0] as Chat), "first");
  const to = edgeOfMonth(dayOf(chats.at(-1) as Chat), "last");

  test.describe(basename(file), () => {
    test("the imported chats are the numbers, the list and the transcripts", async ({ page }) => {
      await signIn(page);
      await page.getByRole("button", { name: /^Período:/ }).click();
      await chooseDay(page, from);
      await chooseDay(page, to);
      await expect(page.getByRole("button", { name: /^Período:/ })).toHaveText(
        `${named(from)} – ${named(to)}`,
      );

      const numbers = page.getByRole("region", { name: "Indicadores del período" });
      await expect(numbers.getByText(String(chats.length), { exact: true }).first()).toBeVisible();
      await expect(numbers.getByText(grouped(messageCount), { exact: true })).toBeVisible();
      await expect(numbers.getByText(`${perChat} promedio por conversación`)).toBeVisible();

      await page.getByRole("tab", { name: "Analíticas" }).click();
      await expect(async () =>
        expect(await factOf(page, "Sesiones activas")).toBe(String(chats.length)),
      ).toPass();
      expect(await factOf(page, "Interacciones totales")).toBe(grouped(messageCount));
      expect(await factOf(page, "Mensajes por conversación")).toBe(perChat);
      expect(await factOf(page, "Tiempo promedio")).toBe(
        `${average(chats.map(activeSeconds))} segundos`,
      );

      await page.getByRole("tab", { name: "Conversaciones" }).click();
      await expect(page.getByText(`${chats.length} conversaciones`, { exact: true })).toBeVisible();
      const listed = await readRows(page, chats.length);
      expect(sum(listed.map(({ messages }) => messages))).toBe(messageCount);

      const newestFirst = chats.toReversed();
      const starts = newestFirst.map((chat) => formatMoment(new Date(begin(chat))));
      expect(listed.map(({ start }) => start)).toEqual(starts);

      // Chats that began at the same time stand in the order of ids that the file does not know,
      // and what is a contact in a text is masked.
      const alone = newestFirst.filter(
        (one) => !one.lead && chats.filter((chat) => begin(chat) === begin(one)).length === 1,
      );
      for (const chat of [alone[0], alone[Math.floor(alone.length / 2)], alone.at(-1)]) {
        if (!chat) throw new Error("the file has fewer chats than expected");
        const index = newestFirst.indexOf(chat);
        await (await listRow(page, index + 1))
          .getByRole("button", { name: "Ver detalles" })
          .click();
        const dialog = page.getByRole("dialog", { name: /^Conversación #/ });
        const messages = dialog.getByRole("listitem");
        await expect(messages).toHaveCount(chat.messages.length);
        expect(await dialog.getByTestId("message-text").allTextContents()).toEqual(
          chat.messages.map(({ text }) => text),
        );
        expect(
          await messages.evaluateAll((items) => items.map((item) => item.dataset.from)),
        ).toEqual(chat.messages.map(({ role }) => (role === "user" ? "user" : "bot")));
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
      for (const chat of chats) perDay.set(dayOf(chat), (perDay.get(dayOf(chat)) ?? 0) + 1);
      const busiest = [...perDay].sort(([, a], [, b]) => b - a).slice(0, 3);
      for (const [day, count] of busiest) {
        await page.goto(`/dashboard?desde=${day}&hasta=${day}`);
        const cards = page.getByRole("region", { name: "Indicadores del período" });
        await expect(cards.locator("dd").first()).toHaveText(String(count));
        const said = count === 1 ? "1 conversación" : `${count} conversaciones`;
        await expect(page.getByText(said, { exact: true })).toBeVisible();
      }
    });

    test("the chart, the week and the file add up to the numbers", async ({ page }) => {
      await signIn(page);
      await page.goto(`/dashboard?desde=${isoDay(from)}&hasta=${isoDay(to)}`);
      await page.getByRole("button", { name: "Ver datos en tabla" }).click();
      const table = page.getByRole("figure").getByRole("table");
      for (const [label, metric, count] of [
        ["Conversaciones Totales", "Conversaciones", chats.length],
        ["Mensajes Enviados", "Mensajes", messageCount],
      ] as const) {
        await page.getByRole("button", { name: `${label}: Ver ${metric} en la gráfica` }).click();
        for (const interval of ["Día", "Semana", "Mes"]) {
          await page.getByRole("button", { name: interval, exact: true }).click();
          const title = `${metric} por ${interval.toLowerCase()}`;
          await expect(page.getByRole("figure", { name: title })).toBeVisible();
          const values = await table.locator("tbody td:nth-child(2)").allInnerTexts();
          expect(sum(values.map((value) => Number(value.replace(",", ""))))).toBe(count);
        }
      }

      await page.getByRole("tab", { name: "Analíticas" }).click();
      const week = page.getByRole("region", { name: "Cuándo escriben" }).getByRole("table");
      const cells = week.getByRole("button");
      await expect(cells).toHaveCount(168);
      expect(sum((await cells.allInnerTexts()).map(Number))).toBe(chats.length);

      await page.getByRole("tab", { name: "Conversaciones" }).click();
      await page.getByRole("button", { name: "Fuera de horario", exact: true }).click();
      const shown = page.getByText(/^\d+ conversaciones$/);
      await expect(shown).not.toHaveText(`${chats.length} conversaciones`);
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
  });
}

/** A word that nobody has said, without digits, which could be those of a phone. */
function newWord(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(10)), (byte) =>
    String.fromCharCode(97 + (byte % 26)),
  ).join("");
}

test("what a visitor writes arrives on the dashboard", async ({ page }) => {
  const word = newWord();
  const question = `¿Cuál es el horario de los sábados? ${word}`;
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
  // Among all, the row would move with every chat that another test begins meanwhile.
  await page.getByRole("searchbox").fill(word);
  const row = page.getByRole("list", { name: "Conversaciones" }).getByRole("listitem");
  await expect(row).toHaveCount(1);
  await expect(row).toContainText(found.id);
  await expect(row).toContainText("2 mensajes");
  await row.getByRole("button", { name: "Ver detalles" }).click();
  const texts = page.getByRole("dialog").getByTestId("message-text");
  await expect(texts).toHaveCount(2);
  await expect(texts.first()).toHaveText(question);
  await expect(texts.last()).toHaveText(reply);
  await expectAccessible(page);
});

test("an odd question is listed, and dismissed", async ({ page }) => {
  const word = newWord();
  const question = `necesito algo para la foto del colegio ${word}`;
  await page.goto("/about/irina-solanilla");
  await page.getByRole("button", { name: "Abrir el asistente virtual" }).click();
  await page.getByLabel("Tu mensaje").fill(question);
  await page.getByRole("button", { name: "Enviar mensaje" }).click();
  await expect(page.getByRole("log").locator("[data-from]")).toHaveCount(3);

  await signIn(page);
  const row = page.getByRole("tabpanel").getByRole("listitem").filter({ hasText: word });
  const empty = page.getByText("No hay respuestas por mejorar");
  // However long a busy machine takes to answer, only what was answered is asked for anew.
  const answered = row.or(empty);
  await expect(async () => {
    await page.goto(`/dashboard?vista=preguntas&ambito=todo&buscar=${word}`);
    await expect(answered).toBeVisible();
    expect(await row.isVisible()).toBe(true);
  }).toPass();
  await expectAccessible(page);
  await row.getByRole("button", { name: /^Descartar/ }).click();
  await expect(row).toContainText("Descartada");
  await expect(async () => {
    await page.reload();
    await expect(answered).toBeVisible();
    expect(await empty.isVisible()).toBe(true);
  }).toPass();
});

/** The row of a person in the queue of today, however many wait before them. */
async function waitingRow(page: Page, name: string): Promise<Locator> {
  await page.goto("/dashboard/hoy");
  const queue = page.getByRole("region", { name: "Por llamar" });
  const row = queue.getByRole("article", { name });
  const more = queue.getByRole("button", { name: "Cargar más" });
  await expect(async () => {
    if (await more.isVisible()) await more.click();
    await expect(row).toBeVisible({ timeout: 2000 });
  }).toPass();
  return row;
}

test("who attends somebody is seen in a second browser, and so is what is taken back", async ({
  page,
  browser,
}) => {
  const name = `Persona ${newWord()}`;
  await page.goto("/contact");
  await page.getByLabel("Nombre").fill(name);
  await page.getByLabel("Correo electrónico").fill("persona@correo.example");
  await page.getByLabel("Teléfono (opcional)").fill("6900-0001");
  await page.getByLabel("Mensaje").fill("Quisiera una cita, por favor.");
  await page.getByRole("button", { name: "Enviar Mensaje" }).click();
  await expect(page.getByText("¡Gracias!").first()).toBeVisible();

  const second = await browser.newPage();
  await signIn(page);
  await signIn(second, ownerEmail);
  const mine = await waitingRow(page, name);
  const theirs = await waitingRow(second, name);
  const within = { timeout: 10_000 };

  await mine.getByRole("link", { name: "6900-0001" }).click();
  await expect(theirs).toContainText(`Atiende ${staffEmail}`, within);
  await expect(theirs.getByRole("button")).toHaveCount(0);
  await mine.getByRole("button", { name: "Hecho" }).click();
  await expect(theirs).toHaveCount(0, within);
  await page.getByLabel("Notificaciones").getByRole("button", { name: "Deshacer" }).click();
  await expect(theirs).toContainText(`Atiende ${staffEmail}`, within);
  await second.close();
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

test("a request about personal data goes from the chat to the copy, and to what became of it", async ({
  page,
}) => {
  await page.goto("/about/irina-solanilla");
  await page.getByRole("button", { name: "Abrir el asistente virtual" }).click();
  await page.getByLabel("Tu mensaje").fill("quiero una copia de mis datos");
  await page.getByRole("button", { name: "Enviar mensaje" }).click();
  await expect(page.getByRole("log")).toContainText("te la entrega a más tardar el");

  await signIn(page);
  await page.goto("/dashboard?vista=contactos");
  const panel = page.getByRole("tabpanel");
  await panel.getByRole("button", { name: "Ver las solicitudes" }).click();
  const asked = panel.getByRole("listitem").filter({ hasText: "Pide una copia de sus datos" });
  await expect(asked.last()).toContainText("vence el");
  await expectAccessible(page);
  await asked.first().getByRole("button", { name: "Sus datos" }).click();
  const copy = page.waitForEvent("download");
  await page.getByRole("dialog").getByRole("link", { name: "Descargar para leer" }).click();
  const file = await readFile(await (await copy).path(), "utf8");
  expect(file).toContain("quiero una copia de mis datos");
  await page.getByRole("dialog").getByRole("button", { name: "Cerrar" }).click();
  await asked.last().getByRole("button", { name: "Marcar como atendida" }).click();
  await panel.getByRole("button", { name: "Se hizo lo que pidió" }).click();
  await expect(panel.getByText(/Se hizo lo que pidió: .*@/)).toHaveCount(1);
  await page.reload();
  await panel.getByRole("button", { name: /^Solicitudes/ }).click();
  await panel.getByRole("button", { name: "Con las atendidas" }).click();
  await expect(panel.getByText(/Se hizo lo que pidió: .*@/)).not.toHaveCount(0);
});
