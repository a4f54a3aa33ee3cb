/** What holds for the pages of any clinic, looked at on one that has nothing of the default: its own server has its texts and pictures. */
import type { Page } from "@playwright/test";
import type { components } from "../src/api/schema.gen";
import { expectFocusInSight, expectReadable } from "./layout";
import { expect, expectAccessibleInWindows, test } from "./test";

test.use({ bypassCSP: true });

const origin = process.env.E2E_FOREIGN_URL ?? "";

async function get(path: string): Promise<string> {
  return await (await fetch(origin + path)).text();
}

/** The pages that search engines are told of, and one that there is not. */
const paths = [...(await get("/sitemap.xml")).matchAll(/<loc>([^<]+)<\/loc>/g)]
  .map(([, address]) => new URL(`${address}`).pathname)
  .concat("/nada/aqui");

type Texts = components["schemas"]["Texts"];
const texts = async (name: string) => JSON.parse(await get(`/api/pages/${name}`)) as Texts;
const [chat, site, contact] = (await Promise.all(["chat", "site", "contact"].map(texts))) as [
  { readonly open: string; readonly log: string; readonly input: string; readonly send: string },
  { readonly header: { readonly mobile: { readonly open: string } } },
  { readonly form: { readonly submit: string; readonly errors: { readonly email: string } } },
];

/** Opens a page without the chat, which would stand over it. */
async function open(page: Page, path: string): Promise<void> {
  await page.route("**/api/chatbot/status", (route) =>
    route.fulfill({ json: { limitReached: true } }),
  );
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
}

async function expectWell(page: Page): Promise<void> {
  await expectReadable(page);
  await expectFocusInSight(page);
  await expectAccessibleInWindows(page, [320, 1280]);
}

test("there are the pages of all kinds", () => {
  for (const kind of ["/", "/about", "/about/", "/services/", "/blog/", "/contact", "/privacidad"])
    expect(paths.some((path) => (kind.endsWith("/") ? path.startsWith(kind) : path === kind))).toBe(
      true,
    );
});

for (const path of paths) {
  test(`${path} reads well`, async ({ page }) => {
    await open(page, path);
    await expectWell(page);
  });
}

test("the menu reads well", async ({ page }) => {
  await open(page, "/privacidad");
  const menus = page.getByRole("banner").locator("summary");
  await menus.filter({ hasText: site.header.mobile.open }).click();
  await menus.last().click();
  await expectWell(page);
});

test("the form says what is wrong", async ({ page }) => {
  await open(page, "/contact");
  // Before the scripts have come the browser itself says it.
  await expect(async () => {
    await page.getByRole("button", { name: contact.form.submit }).click();
    await expect(page.getByText(contact.form.errors.email)).toBeVisible({ timeout: 1000 });
  }).toPass();
  await expectWell(page);
});

test("the chat reads well, with an answer", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto("/privacidad");
  await page.getByRole("button", { name: chat.open }).click();
  await page.getByLabel(chat.input, { exact: true }).fill("¿Dan garantía?");
  await page.getByRole("button", { name: chat.send, exact: true }).click();
  await expect(page.getByRole("log", { name: chat.log })).toContainText("cinco años de garantía");
  await expectWell(page);
});

test("every picture is the clinic's, and is there", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  for (const path of paths) {
    await page.goto(path);
    for (const picture of await page.getByRole("main").locator("img:visible").all()) {
      await picture.scrollIntoViewIfNeeded();
      await expect(picture, path).toHaveJSProperty("complete", true);
      const source = await picture.evaluate((one: HTMLImageElement) => one.currentSrc);
      expect(
        await picture.evaluate((one: HTMLImageElement) => one.naturalWidth),
        source,
      ).toBeGreaterThan(0);
      expect(new URL(source).pathname, path).toMatch(/^\/images\/|^\/img\/map\.svg$/);
    }
  }
});

test("no span of the footer's opening hours is broken", async ({ page }) => {
  await open(page, "/contact");
  for (const width of [320, 390, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const spans = await page.getByRole("contentinfo").evaluate((footer) => {
      const found: { text: string; lines: number }[] = [];
      const texts = document.createTreeWalker(footer, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const text = texts.currentNode.textContent ?? "";
        if (!/\d[^,]*–[^,]*m\./.test(text)) continue;
        const range = document.createRange();
        range.selectNodeContents(texts.currentNode);
        const tops = [...range.getClientRects()].map(({ top }) => top);
        found.push({ text, lines: new Set(tops).size });
      }
      return found;
    });
    expect(spans.length).toBeGreaterThan(0);
    expect(spans.filter(({ lines }) => lines > 1)).toEqual([]);
  }
});
