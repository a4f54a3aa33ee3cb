/** What a visitor writes to do harm, from the chat to everywhere the staff sees it, on a real server. */
import type { Page } from "@playwright/test";
import { expect, expectNoSidewaysScroll, test } from "./test";

/** As many characters as the chat takes. */
const longest = 1000;

async function signIn(page: Page): Promise<void> {
  await page.goto("/login");
  const status = await page.evaluate(
    async (credentials) => {
      const answer = await fetch("/api/auth/login", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(credentials),
      });
      return answer.status;
    },
    { username: process.env.E2E_STAFF_EMAIL, password: process.env.E2E_STAFF_PASSWORD },
  );
  expect(status).toBe(200);
}

/** All cells of a CSV file, in its order. */
function cellsOf(sheet: string): string[] {
  const cells = sheet.matchAll(/(?:^|,|\r\n)(?:"((?:[^"]|"")*)"|([^",\r\n]*))/g);
  return Array.from(cells, ([, quoted, bare = ""]) => quoted ?? bare);
}

test("a hostile text stays a text in the list, the transcript, the search and the files", async ({
  page,
}) => {
  // Letters alone, which nobody takes for a phone number.
  const mark = `marca${crypto.randomUUID().replace(/[^a-f]/g, "")}`;
  const texts = [
    `=1+1+cmd|'/C calc'!A0 ${mark}`,
    `<img src=x onerror="document.title='tomado'"> <script>document.title='tomado'</script> ${mark}`,
    `[clic](javascript:document.title='tomado') ${mark}`,
    `\u202eodavitsoh\u202c مرحبا ${mark}`,
    "🦷".repeat(longest),
  ];
  for (const message of texts) {
    const said = await page.request.post("/api/chatbot", {
      data: { message, conversationHistory: [], sessionId: mark },
    });
    expect(said.status()).toBe(200);
  }
  const wrote = await page.request.post("/api/contact", {
    data: {
      name: `@SUM(A1) ${mark}`,
      email: "ana@correo.example",
      message: `-1+1 ${mark} <b>ya</b>`,
    },
  });
  expect(wrote.ok()).toBe(true);

  await signIn(page);
  await expect(async () => {
    await page.goto(`/dashboard?buscar=${mark}`);
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
    await page.getByRole("searchbox").fill(mark);
    await expect(page.getByText(`@SUM(A1) ${mark}`).first()).toBeVisible();
  }).toPass();
  expect(await page.locator("main b").filter({ hasText: "ya" }).count()).toBe(0);

  for (const file of [
    `/api/dashboard/export?format=csv&rows=messages&q=${mark}`,
    `/api/dashboard/contacts/export?q=${mark}`,
  ]) {
    const sheet = (await (await page.request.get(file)).text()).replace(/^\ufeff/, "");
    expect(sheet).toContain(mark);
    expect(cellsOf(sheet).filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
  }
});
