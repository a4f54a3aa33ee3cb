/** The ways to an appointment where the clinic has no scheduling form of its own. */
import type { Page } from "@playwright/test";
import { answer, json, setClinic, site } from "./answers";
import { input, log, opener } from "./chatPanel";
import { expect, expectAccessible, test } from "./test";

test("begins the booking in the chat, also a second time", async ({ page }) => {
  const asked: string[] = [];
  await answer(page, {
    ...site,
    chat: async (route) => {
      asked.push(route.request().postDataJSON().message);
      await json({ response: "¿Para qué servicio?" })(route);
    },
  });
  await page.goto("/services/endodoncia");
  const book = bookingLink(page);
  await expect(opener(page)).toBeVisible();
  await book.click();
  await expect(log(page)).toContainText("¿Para qué servicio?");
  await expect(page).toHaveURL("/services/endodoncia");
  expect(asked).toEqual(["Quiero agendar una cita"]);
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(log(page)).toHaveCount(0);
  await book.click();
  await expect(() => expect(asked).toHaveLength(2)).toPass();
  await expect(log(page)).toBeVisible();
});

for (const path of ["/about/irina-solanilla", "/services/endodoncia", "/services/carillas"]) {
  test(`opens the chat for a question on ${path}, in which nothing is said yet`, async ({
    page,
  }) => {
    const asked: string[] = [];
    await answer(page, { ...site, chat: async () => void asked.push("something") });
    await page.goto(path);
    await page.getByRole("main").getByRole("link", { name: "Preguntar en el chat" }).click();
    await expect(input(page)).toBeVisible();
    await expect(input(page)).toBeFocused();
    await expect(page).toHaveURL(path);
    expect(asked).toEqual([]);
  });
}

/** Answers nothing under an address until it is released. */
async function hold(page: Page, address: string): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(address, async (route) => {
    await held;
    await route.fallback();
  });
  return release;
}

const bookingLink = (page: Page) =>
  page.getByRole("main").getByRole("link", { name: "Agendar una Consulta" });

for (const [late, address] of [
  ["its code has", "**/assets/ChatWidget-*.js"],
  ["the server has said that there is one", "**/api/chatbot/status"],
] as const) {
  test(`a press before ${late} come opens the chat once it has`, async ({ page }) => {
    const asked: string[] = [];
    await answer(page, {
      ...site,
      chat: async (route) => {
        asked.push(route.request().postDataJSON().message);
        await json({ response: "¿Para qué servicio?" })(route);
      },
    });
    const release = await hold(page, address);
    await page.goto("/services/endodoncia");
    await bookingLink(page).click();
    await bookingLink(page).click();
    release();
    await expect(log(page)).toContainText("¿Para qué servicio?");
    await expect(page).toHaveURL("/services/endodoncia");
    expect(asked).toEqual(["Quiero agendar una cita"]);
  });
}

test("a press leads to the contact form when the chat's code does not come", async ({ page }) => {
  await answer(page, site);
  await page.route("**/assets/ChatWidget-*.js", (route) => route.abort());
  await page.goto("/services/endodoncia");
  await bookingLink(page).click();
  await expect(page).toHaveURL("/contact#mensaje");
  await expect(page.locator("#mensaje").getByRole("textbox", { name: /^Nombre/ })).toBeVisible();
});

test("a press leads to the contact form when the chat takes too long", async ({ page }) => {
  await answer(page, site);
  await page.clock.install();
  await hold(page, "**/assets/ChatWidget-*.js");
  await page.goto("/services/endodoncia");
  await bookingLink(page).click();
  await page.clock.fastForward(9000);
  await expect(page).toHaveURL("/services/endodoncia");
  await page.clock.fastForward(1500);
  await expect(page).toHaveURL("/contact#mensaje");
});

test("leads to the contact form where there is no chat", async ({ page }) => {
  await answer(page, { ...site, status: json({ limitReached: true }) });
  await page.goto("/services/endodoncia");
  await bookingLink(page).click();
  await expect(page).toHaveURL("/contact#mensaje");
  await expect(page.locator("#mensaje").getByRole("textbox", { name: /^Nombre/ })).toBeVisible();
});

test("offers the phone when the chat fails", async ({ page }) => {
  setClinic(page, { phones: [{ label: "+57 601 000 0101", href: "tel:+576010000101" }] });
  await answer(page, { ...site, chat: (route) => route.fulfill({ status: 502 }) });
  await page.goto("/services/endodoncia");
  await expect(opener(page)).toBeVisible();
  await bookingLink(page).click();
  await expect(log(page)).toContainText("dificultades técnicas");
  await expect(log(page).getByRole("link", { name: "+57 601 000 0101" })).toHaveAttribute(
    "href",
    "tel:+576010000101",
  );
});

test("shows the welcome's picture alone without a video", async ({ page }) => {
  await answer(page, { ...site, status: json({ limitReached: true }) });
  await page.goto("/");
  const welcome = page.locator("section").filter({ hasText: "Te damos la bienvenida" });
  await expect(welcome.locator("picture, img").first()).toBeVisible();
  await expect(welcome.getByRole("link")).toHaveCount(1);
});
