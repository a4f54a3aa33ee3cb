/** The staff's pages while a script of theirs does not come. */
import type { Browser, Page } from "@playwright/test";
import { answer } from "./answers";
import { whole } from "./staffStates";
import { expect, expectAccessible, test } from "./test";

/** A page of its own: what it writes about a script that is missing is no mistake. */
async function open(browser: Browser): Promise<Page> {
  const page = await browser.newPage();
  await answer(page, whole);
  return page;
}

test("a script that fails once is asked for once more", async ({ browser }) => {
  const page = await open(browser);
  let asked = 0;
  await page.route("**/assets/Contacts-*.js", (route) => {
    asked += 1;
    return asked === 1 ? route.fulfill({ status: 404 }) : route.continue();
  });
  await page.goto("/dashboard?vista=contactos");
  await expect(page.getByText(/^Mostrando 7 de 7/)).toBeVisible();
  expect(asked).toBe(2);
  await page.close();
});

test("a tab without its script says so, and the others go on", async ({ browser }) => {
  const page = await open(browser);
  await page.route("**/assets/Contacts-*.js", (route) => route.fulfill({ status: 404 }));
  await page.goto("/dashboard?vista=contactos");
  const panel = page.getByRole("tabpanel");
  await expect(panel.getByRole("alert")).toContainText("No se pudo mostrar esta parte");
  await expect(page.getByText("1,284", { exact: true }).first()).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("tab", { name: "Conversaciones" }).click();
  await expect(page.getByText("137 conversaciones", { exact: true })).toBeVisible();
  await page.close();
});
