/** The ways to an appointment where the clinic has no scheduling form of its own. */
import { answer, json, setClinic, site } from "./answers";
import { log, opener } from "./chatPanel";
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
  const book = page.getByRole("main").getByRole("link", { name: "Agendar una Consulta" });
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

test("leads to the contact form where there is no chat", async ({ page }) => {
  await answer(page, { ...site, status: json({ limitReached: true }) });
  await page.goto("/services/endodoncia");
  await page.getByRole("main").getByRole("link", { name: "Agendar una Consulta" }).click();
  await expect(page).toHaveURL("/contact#mensaje");
  await expect(page.locator("#mensaje").getByRole("textbox", { name: /^Nombre/ })).toBeVisible();
});

test("offers the phone when the chat fails", async ({ page }) => {
  setClinic(page, { phones: [{ label: "+57 601 000 0101", href: "tel:+576010000101" }] });
  await answer(page, { ...site, chat: (route) => route.fulfill({ status: 502 }) });
  await page.goto("/services/endodoncia");
  await expect(opener(page)).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Agendar una Consulta" }).click();
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
