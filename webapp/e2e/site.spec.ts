import type { Locator } from "@playwright/test";
import { answer, json, linkClinic, site } from "./answers";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./test";

const specialties = [
  ["Ortodoncia", "/services/ortodoncia"],
  ["Endodoncia", "/services/endodoncia"],
  ["Periodoncia", "/services/periodoncia"],
  ["Rehabilitación oral", "/services/rehabilitacion-oral"],
  ["Implantes dentales", "/services/implantes-dentales"],
  ["Muelas del juicio", "/services/muelas-del-juicio"],
  ["Diseño de sonrisa", "/services/diseno-sonrisa"],
] as const;

// The chat, which opens itself over other things, has its own tests.
const quiet = { ...site, status: json({ limitReached: true }) };

test.beforeEach(async ({ page }) => {
  await answer(page, quiet);
});

/** What opens and closes a menu; the browser tells everybody whether it is open. */
const summary = (within: Locator, text: string) =>
  within.locator("summary").filter({ hasText: text });

test("the header leads everywhere from a wide screen", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  linkClinic(page);
  // A Saturday.
  await page.clock.setFixedTime("2026-11-21T15:00:00Z");
  await page.goto("/About");
  const header = page.getByRole("banner");
  const nav = header.getByRole("navigation", { name: "Navegación principal" });
  await expect(nav.getByRole("link", { name: "Nosotros" })).toHaveAttribute("aria-current", "page");
  await expect(header).toContainText("Vía España, Edificio Plaza Regency, Piso 9");
  await expect(header).toContainText("Hoy: 9 a. m. – 3 p. m.");
  await expect(header.locator('a[href^="tel:+507"]')).toHaveCount(2);
  const book = header.getByRole("link", { name: /Agendar Cita/ });
  await expect(book).toHaveAttribute("href", /^https:/);
  await expect(book).toHaveAttribute("target", "_blank");
  await expect(book).toHaveAccessibleName(/se abre en una pestaña nueva/);

  const button = summary(nav, "Especialidades");
  const all = nav.getByRole("link", { name: "Ver todas las especialidades" });
  await expect(all).toBeHidden();
  await button.click();
  await expect(all).toBeVisible();
  for (const heading of ["Nuestras Especialidades", "Tratamientos Especializados"]) {
    await expect(nav.getByRole("list", { name: heading })).toBeVisible();
  }
  for (const [name, href] of [["Inicio", "/"], ["Contacto", "/contact"], ...specialties] as const) {
    const link = nav.getByRole("link", { name: new RegExp(`^${name}`) });
    await expect(link).toHaveAttribute("href", href);
  }
  await expect(nav.getByRole("link", { name: /^Diseño de sonrisa/ })).toContainText(
    "Consulta gratis",
  );
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(all).toBeHidden();
  await expect(button).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(all).toBeVisible();
  await page.mouse.click(20, 600);
  await expect(all).toBeHidden();
  await button.click();
  await all.click();
  await expect(page).toHaveURL(/\/services$/);
  await expect(all).toBeHidden();
});

test("the menu of small screens unfolds the specialties", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/services/endodoncia");
  const header = page.getByRole("banner");
  await expect(header.getByRole("navigation")).toBeHidden();
  await summary(header, "Abrir el menú").click();
  const nav = header.getByRole("navigation", { name: "Navegación principal" });
  for (const name of ["Inicio", "Nosotros", "Blog", "Contacto"]) {
    await expect(nav.getByRole("link", { name, exact: true })).toBeVisible();
  }
  const submenu = summary(nav, "Especialidades");
  for (const [name, href] of specialties) {
    const link = nav.getByRole("link", { name: new RegExp(`^${name}`) });
    await expect(link).toHaveAttribute("href", href);
  }
  await expect(nav.getByRole("link", { name: "Endodoncia" })).toHaveAttribute(
    "aria-current",
    "page",
  );
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 320, height: 640 });
  const lines = await nav.getByText("Consulta gratis", { exact: true }).evaluate((badge) => {
    const range = document.createRange();
    range.selectNodeContents(badge);
    return new Set([...range.getClientRects()].map(({ top }) => top)).size;
  });
  expect(lines).toBe(1);
  await submenu.click();
  await expect(nav.getByRole("link", { name: "Ver todas las especialidades" })).toBeHidden();
  await page.keyboard.press("Escape");
  await expect(nav).toBeHidden();
  await expect(summary(header, "Abrir el menú")).toBeFocused();
});

test("the footer names every way to the clinic", async ({ page }) => {
  await page.goto("/nada/aqui");
  const footer = page.getByRole("contentinfo");
  for (const [name, href] of [
    ["Inicio", "/"],
    ["Nosotros", "/about"],
    ["Servicios", "/services"],
    ["Blog", "/blog"],
    ["Contacto", "/contact"],
    ...specialties,
  ] as const) {
    const link = footer.getByRole("link", { name, exact: true });
    await expect(link).toHaveAttribute("href", href);
  }
  await expect(footer).toContainText("Vía España, Edificio Plaza Regency");
  await expect(footer).toContainText("Al servicio de la Ciudad de Panamá desde 2005");
  await expect(footer).toContainText("Más de 15 años de excelencia");
  await expect(footer.locator('a[href^="mailto:"]')).toHaveCount(1);
  await expect(footer.locator('a[href^="tel:+507"]')).toHaveCount(2);
  await expect(footer).toContainText(/Lunes a viernes: 8\s*a\.\s*m\.\s*–\s*7\s*p\.\s*m\./);
  await expect(footer).toContainText(/Sábado: 9\s*a\.\s*m\.\s*–\s*3\s*p\.\s*m\./);
});

test("says when a path names no page", async ({ page }) => {
  await page.goto("/no/existe");
  await expect(page).toHaveTitle("404 | Clínica Dental Regency");
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { name: "404 Page Not Found" })).toHaveAttribute(
    "lang",
    "en",
  );
  await expect(main.getByText("Did you forget to add the page to the router?")).toHaveAttribute(
    "lang",
    "en",
  );
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute("content", "noindex");
  await main.getByRole("link", { name: "Volver al inicio" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Atención dental");
});

test("turns pages: the old one fades first, then the view is at the top and the focus in the page", async ({
  page,
}) => {
  let release = () => {};
  const looked = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/assets/ServicePage-*.js", async (route) => {
    await looked;
    await route.fallback();
  });
  await page.goto("/services");
  const main = page.getByRole("main");
  await expect(main).toHaveAttribute("data-turn", "still");
  const link = page.getByRole("contentinfo").getByRole("link", { name: "Periodoncia" });
  await link.click();
  await expect(main).toHaveAttribute("data-turn", "leaving");
  await expect(main.getByRole("heading", { level: 1 })).toHaveText("Nuestros Servicios");
  await expect(main).toHaveCSS("transition-duration", "0.5s");
  await expect(main).toHaveCSS("opacity", "0");
  release();
  await expect(main.getByRole("heading", { level: 1 })).toHaveText("Periodoncia");
  await expect(main).toHaveAttribute("data-turn", "entering");
  await expect(main).toBeFocused();
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
  await expect(page).toHaveTitle("Periodoncia y encías | Clínica Dental Regency");
  await expect(page.locator('link[rel="canonical"]')).toHaveAttribute(
    "href",
    /\/services\/periodoncia$/,
  );
  await expect(page.locator('meta[property="og:title"]')).toHaveAttribute(
    "content",
    /^Periodoncia/,
  );
  await page.goBack();
  await expect(main.getByRole("heading", { level: 1 })).toHaveText("Nuestros Servicios");
  expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
});

test("holds still for whoever wants less motion", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await answer(page, { status: json({ limitReached: false }) });
  await page.goto("/services");
  await page.getByRole("button", { name: "Abrir el asistente virtual" }).click();
  await expect(page.getByLabel("Tu mensaje")).toBeFocused();
  const longest = await page.evaluate(() => {
    const seconds = (element: Element) => {
      const { animationDuration, transitionDuration } = getComputedStyle(element);
      return `${animationDuration},${transitionDuration}`.split(",").map(Number.parseFloat);
    };
    return Math.max(...[...document.querySelectorAll("*")].flatMap(seconds));
  });
  expect(longest).toBeLessThan(0.001);
  await page.keyboard.press("Escape");
  await page.getByRole("contentinfo").getByRole("link", { name: "Periodoncia" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Periodoncia");
});

test("matches paths in any case and names the lower-case one", async ({ page }) => {
  await page.goto("/Services/ENDODONCIA");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Endodoncia");
  await expect(page.locator('link[rel="canonical"]')).toHaveAttribute(
    "href",
    /\/services\/endodoncia$/,
  );
});

test("begins with a skeleton that goes by itself, without a script", async ({ page }) => {
  await page.goto("/");
  const skeleton = page.locator(".startup");
  await expect(skeleton).toBeHidden();
  expect(await skeleton.evaluate((shown) => getComputedStyle(shown).animationDuration)).toBe(
    "0.1s",
  );
});

for (const [instant, words, today] of [
  ["2026-11-20T23:59:00Z", "Abierto ahora", /Hoy: 8\sa\.\sm\.\s–\s7\sp\.\sm\./],
  ["2026-11-21T00:00:00Z", "Cerrado ahora", /Hoy: 8\sa\.\sm\.\s–\s7\sp\.\sm\./],
  ["2026-11-21T20:00:00Z", "Cerrado ahora", /Hoy: 9\sa\.\sm\.\s–\s3\sp\.\sm\./],
  ["2026-11-22T16:00:00Z", "Cerrado ahora", "Hoy: Cerrado"],
] as const) {
  test(`is ${words} at ${instant}`, async ({ page }) => {
    await page.clock.setFixedTime(new Date(instant));
    await page.goto("/");
    await expect(page.getByRole("main").getByText(words).first()).toBeVisible();
    await expect(page.getByRole("banner")).toContainText(today);
  });
}

test("needs no table of zones, which takes a phone long to load", async ({ page }) => {
  await page.addInitScript(() => {
    Intl.DateTimeFormat = class {
      constructor() {
        throw new Error("a table of zones is loaded");
      }
    } as unknown as typeof Intl.DateTimeFormat;
  });
  await page.goto("/");
  await expect(page.getByRole("main").getByText(/^(Abierto|Cerrado) ahora/)).toBeVisible();
  await expect(page.getByRole("main").locator("time").first()).toHaveText(/\d, \d{4}$/);
});

test("lets the keyboard skip to the content", async ({ page }) => {
  await page.goto("/services");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Saltar al contenido" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
});
