/** The chat as a test finds and opens it. */
import type { Page } from "@playwright/test";

/** A page on which nothing moves and nothing is fetched. */
export const quietPage = "/about/irina-solanilla";
/** All of the chat. */
export const widget = 'aside[aria-label="Asistente virtual"]';
export const opener = (page: Page) =>
  page.getByRole("button", { name: "Abrir el asistente virtual" });
export const log = (page: Page) => page.getByRole("log");
export const input = (page: Page) => page.getByLabel("Tu mensaje");
export const send = (page: Page) => page.getByRole("button", { name: "Enviar mensaje" });

/** Opens the chat on a page on which nothing moves. */
export async function openChat(page: Page) {
  await page.goto(quietPage);
  await opener(page).click();
}
