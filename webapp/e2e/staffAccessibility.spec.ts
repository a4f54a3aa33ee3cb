/** The staff's pages without a mouse, and in the reader's own colours. */
import type { Locator } from "@playwright/test";
import { answer } from "./answers";
import { whole } from "./staffStates";
import { expect, test } from "./test";

test.beforeEach(async ({ page }) => {
  await page.clock.setFixedTime(new Date("2026-11-20T15:00:00Z"));
  await answer(page, whole);
});

test("the first key leads past the navigation, on every page", async ({ page }) => {
  for (const path of ["", "/hoy", "/bandeja", "/agenda", "/respuestas", "/cuenta"]) {
    await page.goto(`/dashboard${path}`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByRole("navigation")).toHaveCount(1);
    await page.keyboard.press("Tab");
    await expect(page.getByRole("link", { name: "Saltar al contenido" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("main")).toBeFocused();
  }
});

test("in the reader's own colours it stays visible what is chosen and how far a bar goes", async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto("/dashboard");
  const ground = (part: Locator) =>
    part.evaluate((element) => getComputedStyle(element).backgroundColor);
  const bar = page.getByRole("progressbar");
  expect(await ground(bar.locator("*").first())).not.toBe(await ground(bar));
  for (const [chosen, other] of [
    [page.getByRole("tab", { selected: true }), page.getByRole("tab", { selected: false }).first()],
    [
      page.getByRole("navigation").getByRole("link", { name: "Datos" }),
      page.getByRole("navigation").getByRole("link", { name: "Hoy" }),
    ],
    [
      page.getByRole("main").getByRole("button", { pressed: true }).first(),
      page.getByRole("main").getByRole("button", { name: "Con lead" }),
    ],
  ] as const) {
    expect(await ground(chosen)).not.toBe(await ground(other));
  }
});

test("a phone's ways stand in one line, and the present page is named", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 780 });
  for (const [path, name] of [
    ["/respuestas", "Respuestas"],
    ["", "Datos"],
  ] as const) {
    await page.goto(`/dashboard${path}`);
    const places = page.getByRole("navigation").getByRole("link");
    await expect(places).toHaveCount(8);
    await expect(places.getByText(name)).toBeInViewport({ ratio: 1 });
    const tops = await places.evaluateAll((links) =>
      links.map((link) => link.getBoundingClientRect().top),
    );
    expect(new Set(tops).size).toBe(1);
  }
});
