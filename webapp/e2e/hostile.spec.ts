/** What a visitor writes to do harm, from the chat to everywhere the staff sees it, on a real server. */
import type { Page } from "@playwright/test";
import { expect, expectNoSidewaysScroll, signIn, test } from "./test";

/** As many characters as the chat takes. */
const longest = 1000;

/** All cells of a CSV file, in its order. */
function cellsOf(csv: string): string[] {
  const cells = csv.matchAll(/(?:^|,|\r\n)(?:"((?:[^"]|"")*)"|([^",\r\n]*))/g);
  return Array.from(cells, ([, quoted, bare = ""]) => quoted ?? bare);
}

test("a hostile text stays a text in the list, the transcript, the search and the files", async ({
  page,
}) => {
  // Letters alone, which nobody takes for a phone number.
  const marker = `marca${crypto.randomUUID().replace(/[^a-f]/g, "")}`;
  const texts = [
    `=1+1+cmd|'/C calc'!A0 ${marker}`,
    `<img src=x onerror="document.title='tomado'"> <script>document.title='tomado'</script> ${marker}`,
    `[clic](javascript:document.title='tomado') ${marker}`,
    `\u202eodavitsoh\u202c مرحبا ${marker}`,
    "🦷".repeat(longest),
  ];
  for (const message of texts) {
    const said = await page.request.post("/api/chatbot", {
      data: { message, conversationHistory: [], sessionId: marker },
    });
    expect(said.status()).toBe(200);
  }
  const wrote = await page.request.post("/api/contact", {
    data: {
      name: `@SUM(A1) ${marker}`,
      email: "ana@correo.example",
      message: `-1+1 ${marker} <b>ya</b>`,
    },
  });
  expect(wrote.ok()).toBe(true);

  await signIn(page);
  await expect(async () => {
    await page.goto(`/dashboard?buscar=${marker}`);
    await expect(page.getByText("1 conversación", { exact: true })).toBeVisible();
  }).toPass();
  await page.getByRole("button", { name: "Ver detalles" }).click();
  const dialog = page.getByRole("dialog");
  const said = dialog.locator('[data-testid="message-text"]');
  for (const text of texts.slice(0, 3)) {
    await expect(said.filter({ hasText: text }).first()).toBeVisible();
  }
  await expect(said.filter({ hasText: "🦷".repeat(longest) })).toHaveCount(1);
  expect(await dialog.locator("img, script, iframe").count()).toBe(0);
  expect(await dialog.locator('a[href^="javascript" i]').count()).toBe(0);
  await expectNoSidewaysScroll(page);
  await expect(page).toHaveTitle(/Dashboard/);

  await expect(async () => {
    await page.goto("/dashboard?vista=contactos");
    await page.getByRole("searchbox").fill(marker);
    await expect(page.getByText(`@SUM(A1) ${marker}`).first()).toBeVisible();
  }).toPass();
  expect(await page.locator("main b").filter({ hasText: "ya" }).count()).toBe(0);

  for (const file of [
    `/api/dashboard/export?format=csv&rows=messages&q=${marker}`,
    `/api/dashboard/contacts/export?q=${marker}`,
  ]) {
    const sheet = (await (await page.request.get(file)).text()).replace(/^\ufeff/, "");
    expect(sheet).toContain(marker);
    expect(cellsOf(sheet).filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
  }
});

test("who knows a session from elsewhere goes on with nothing, and the visitor does", async ({
  browser,
  page,
}) => {
  const bubbles = (on: Page) => on.getByRole("log").locator("[data-from]");
  const write = async (on: Page, text: string, bubblesAfter: number) => {
    await on.getByLabel("Tu mensaje").fill(text);
    await on.getByLabel("Tu mensaje").press("Enter");
    await expect(bubbles(on)).toHaveCount(bubblesAfter);
  };
  const open = async (on: Page) => {
    await on.goto("/");
    await on.getByRole("button", { name: "Abrir el asistente virtual" }).click();
  };
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await open(page);
  await write(page, "Hola", 3);
  await write(page, "¿Qué servicios tienen?", 5);
  const saved = await page.evaluate(() => localStorage.getItem("bitacora-chat") ?? "");
  const { sessionId } = JSON.parse(saved);

  const stranger = await browser.newContext();
  for (const path of ["/api/chatbot", "/api/chatbot/stream"]) {
    const refused = await stranger.request.post(path, { data: { message: "sí", sessionId } });
    expect(refused.status()).toBe(403);
  }
  const read = await stranger.request.post("/api/chatbot/conversation", { data: { sessionId } });
  expect(read.status()).toBe(404);
  await stranger.addInitScript(
    ([key, value]) => localStorage.setItem(key, localStorage.getItem(key) ?? value),
    ["bitacora-chat", JSON.stringify({ sessionId })] as const,
  );
  const elsewhere = await stranger.newPage();
  await open(elsewhere);
  await expect(bubbles(elsewhere)).toHaveCount(1);
  await write(elsewhere, "¿Cuál es el horario?", 4);
  await expect(bubbles(elsewhere).nth(2)).toContainText("solo sigue donde empezó");
  const own = await elsewhere.evaluate(() => localStorage.getItem("bitacora-chat") ?? "{}");
  expect(JSON.parse(own).sessionId).not.toBe(sessionId);
  await stranger.close();

  await page.reload();
  await page
    .getByRole("button", { name: /el asistente virtual$/ })
    .first()
    .click();
  await expect(bubbles(page)).toHaveCount(5);
  await write(page, "¿Dónde están?", 7);
  await expect(page.getByRole("log")).not.toContainText("horario?");
  expect(asked.filter((url) => url.includes(sessionId))).toEqual([]);
});
