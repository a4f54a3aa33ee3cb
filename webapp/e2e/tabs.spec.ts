/** One chat in several tabs, and over several visits. */
import type { BrowserContext, Page } from "@playwright/test";
import { answer, json, neverAnswers, site } from "./answers";
import { input, log, opener, quietPage, send, widget } from "./chatPanel";
import { expect, expectAccessible, stopClock, test, tickUntil } from "./test";

interface Asked {
  readonly sessionId: string;
  readonly messageId: string;
  readonly message: string;
}

/** A server that keeps what was said, each answer with the question's number. */
function server() {
  const asked: Asked[] = [];
  const kept = new Map<
    string,
    { id: string; messageId: string; text: string; isUser: boolean }[]
  >();
  const timestamp = "2026-11-20T14:59:00.000Z";
  return {
    asked,
    answers: {
      ...site,
      chat: async (route) => {
        const { sessionId, messageId, message }: Asked = route.request().postDataJSON();
        asked.push({ sessionId, messageId, message });
        const response = `Respuesta a «${message}».`;
        const lines = kept.get(sessionId) ?? [];
        kept.set(sessionId, [
          ...lines,
          { id: `${lines.length + 1}`, messageId, text: message, isUser: true },
          { id: `${lines.length + 2}`, messageId, text: response, isUser: false },
        ]);
        await json({ response, messageId })(route);
      },
      conversation: async (route) => {
        const { sessionId } = route.request().postDataJSON();
        const lines = kept.get(sessionId);
        const messages = lines?.map((line) => ({ ...line, timestamp }));
        await (messages ? json({ sessionId, messages }) : json({}, 404))(route);
      },
    } satisfies typeof site,
  };
}

/** A tab in which the chat is open. */
async function openTab(context: BrowserContext, answers: typeof site): Promise<Page> {
  const page = await context.newPage();
  await answer(page, answers);
  await page.goto(quietPage);
  await opener(page).click();
  await expect(log(page)).toBeVisible();
  return page;
}

async function say(page: Page, text: string): Promise<void> {
  await input(page).fill(text);
  await send(page).click();
}

const order = (...texts: string[]) =>
  new RegExp(texts.map((text) => text.replace(/[.?]/g, "\\$&")).join(".*"), "s");

test("what is said in one tab stands in the other", async ({ context }) => {
  const { answers, asked } = server();
  const one = await openTab(context, answers);
  const two = await openTab(context, answers);
  await say(one, "uno");
  await expect(log(two)).toContainText(order("uno", "Respuesta a «uno»."));
  await say(two, "dos");
  await expect(log(one)).toContainText(order("Respuesta a «uno».", "dos", "Respuesta a «dos»."));
  expect(new Set(asked.map(({ sessionId }) => sessionId)).size).toBe(1);

  await two.locator(widget).getByRole("button", { name: "Opciones del chat" }).click();
  await two.getByRole("menuitem", { name: "Nueva conversación" }).click();
  await expect(log(one)).toContainText("Conversación nueva.");
  await say(one, "tres");
  await expect(log(two)).toContainText("Respuesta a «tres».");
  expect(asked.at(-1)?.sessionId).not.toBe(asked.at(0)?.sessionId);
});

test("two that write at once are answered in one order", async ({ context }) => {
  const { answers } = server();
  const one = await openTab(context, answers);
  const two = await openTab(context, answers);
  await input(one).fill("uno");
  await input(two).fill("dos");
  await Promise.all([
    one.evaluate(() =>
      document.querySelector<HTMLFormElement>("#chat-panel form")?.requestSubmit(),
    ),
    two.evaluate(() =>
      document.querySelector<HTMLFormElement>("#chat-panel form")?.requestSubmit(),
    ),
  ]);
  await expect(log(one)).toContainText(/Respuesta a «(uno|dos)»/);
  // Who was too late to be heard still has what was written.
  for (const page of [one, two]) {
    if (await input(page).inputValue()) await input(page).press("Enter");
  }
  for (const page of [one, two]) {
    await expect(log(page)).toContainText("Respuesta a «uno».");
    await expect(log(page)).toContainText("Respuesta a «dos».");
  }
  const [first, second] = await Promise.all([one, two].map((page) => log(page).textContent()));
  expect(first).toBe(second);
  for (const text of ["uno", "dos"]) expect(first).toMatch(order(`Tú: ${text}`, `«${text}».`));
});

test("a question whose tab is closed before the answer comes is not lost", async ({ context }) => {
  const { answers, asked } = server();
  const one = await openTab(context, { ...answers, chat: neverAnswers });
  const two = await openTab(context, answers);
  await say(one, "hola");
  await expect(two.getByTestId("typing")).toBeVisible();
  await one.close();
  await two.getByRole("button", { name: "Reintentar" }).click();
  await expect(log(two)).toContainText(order("hola", "Respuesta a «hola»."));
  expect(asked).toHaveLength(1);
});

test("a question asked when the page goes or the network fails is answered after all", async ({
  context,
}) => {
  const { answers, asked } = server();
  const page = await openTab(context, { ...answers, chat: neverAnswers });
  await say(page, "hola");
  await expect(page.getByTestId("typing")).toBeVisible();
  await answer(page, answers);
  await page.reload();
  await opener(page).click();
  await expect(log(page)).toContainText(order("hola", "Respuesta a «hola»."));
  expect(asked).toHaveLength(1);

  await answer(page, { chat: (route) => route.abort("internetdisconnected") });
  await say(page, "¿siguen?");
  const retry = page.getByRole("button", { name: "Reintentar" });
  await expect(retry).toBeVisible();
  await answer(page, answers);
  await retry.click();
  await expect(log(page)).toContainText("Respuesta a «¿siguen?».");
  expect(asked).toHaveLength(2);
});

test("goes on in the next visit, and a browser that is shared forgets it everywhere", async ({
  context,
}) => {
  const { answers, asked } = server();
  const one = await openTab(context, answers);
  await say(one, "hola");
  await expect(log(one)).toContainText("Respuesta a «hola».");
  await one.close();
  const two = await openTab(context, answers);
  await expect(log(two)).toContainText(order("hola", "Respuesta a «hola»."));
  const three = await openTab(context, answers);

  let forgotten = 0;
  await two.route("**/api/chatbot/forget", async (route) => {
    forgotten += 1;
    await route.fulfill({ status: forgotten === 1 ? 503 : 204 });
  });
  await two.locator(widget).getByRole("button", { name: "Opciones del chat" }).click();
  await two.getByRole("menuitem", { name: "Olvidarla en este equipo" }).click();
  const dialog = two.getByRole("dialog", { name: "¿Olvidar la conversación en este equipo?" });
  await expectAccessible(two);
  await dialog.getByRole("button", { name: "Sí, olvidarla" }).click();
  await expect(dialog.getByRole("alert")).toHaveText("No se pudo. Inténtalo de nuevo.");
  await dialog.getByRole("button", { name: "Sí, olvidarla" }).click();
  for (const page of [two, three]) await expect(log(page)).not.toContainText("hola");
  const kept = () =>
    two.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  expect(await kept()).not.toContain(`${asked[0]?.sessionId}`);
  await say(three, "otra persona");
  await expect(log(two)).toContainText("Respuesta a «otra persona».");
  expect(asked.at(-1)?.sessionId).not.toBe(asked[0]?.sessionId);
  // Nothing that was said lies in the browser.
  expect(await kept()).not.toContain("otra persona");
});

test("opens itself in one tab only, and where somebody looks", async ({ context }) => {
  const { answers } = server();
  const tabs: Page[] = [];
  for (const visibility of ["hidden", "visible", "visible"]) {
    const page = await context.newPage();
    await page.addInitScript((state) => {
      Object.defineProperty(document, "visibilityState", { get: () => state, configurable: true });
      Object.defineProperty(document, "hidden", {
        get: () => state === "hidden",
        configurable: true,
      });
    }, visibility);
    await stopClock(page);
    await answer(page, answers);
    await page.goto(quietPage);
    await tickUntil(page, opener(page));
    tabs.push(page);
  }
  // It is the clock of them all.
  await tabs[0]?.clock.runFor(10_000);
  const open = async () => (await Promise.all(tabs.map((page) => log(page).count()))).join(" ");
  await expect.poll(open).toMatch(/^0 (1 0|0 1)$/);
});
