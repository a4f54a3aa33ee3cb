import { answer, json, site } from "./answers";
import { expect, expectNoSidewaysScroll, test } from "./test";

const pages = [
  "/",
  "/about",
  "/about/irina-solanilla",
  "/services",
  "/services/muelas-del-juicio",
  "/services/periodoncia",
  "/services/endodoncia",
  "/services/ortodoncia",
  "/services/implantes-dentales",
  "/services/rehabilitacion-oral",
  "/services/diseno-sonrisa",
  "/contact",
  "/blog",
  "/login",
  "/nada/aqui",
];

// WCAG 2.2, 1.4.12.
const spacing = `
  * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
  p { margin-bottom: 2em !important }`;

test.use({ bypassCSP: true });

test.beforeEach(async ({ page }) => {
  await answer(page, { ...site, status: json({ limitReached: true }) });
});

for (const path of pages) {
  test(`${path} fits 320 pixels, also with wide spacing`, async ({ page }) => {
    await page.goto(path);
    await expect(page.getByRole("heading").first()).toBeVisible();
    await expectNoSidewaysScroll(page);
    await page.addStyleTag({ content: spacing });
    await expectNoSidewaysScroll(page);
  });
}

test("the home page's heading stands on no slide", async ({ page }) => {
  await page.goto("/");
  await page.addStyleTag({ content: spacing });
  const heading = await page.getByRole("heading", { level: 1 }).boundingBox();
  const slide = await page.getByRole("heading", { level: 2 }).first().boundingBox();
  expect(slide?.y).toBeGreaterThan((heading?.y ?? 0) + (heading?.height ?? 0));
});
