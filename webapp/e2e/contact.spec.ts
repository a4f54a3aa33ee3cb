import type { Page } from "@playwright/test";
import { answer, failure, json, linkClinic, neverAnswers, setClinic, site } from "./answers";
import clinic from "./clinic.json" with { type: "json" };
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./test";

const field = (page: Page, name: string) => page.getByRole("main").getByLabel(name);
const submit = (page: Page) => page.getByRole("button", { name: "Enviar Mensaje" });

const written = {
  Nombre: "Ana <b>Ñ</b> 😀",
  "Correo electrónico": "ana@correo.example",
  "Teléfono (opcional)": "<script>1</script>",
  Mensaje: "Hola, quisiera una cita 🦷 <img src=x onerror=alert(1)>",
};

test.beforeEach(async ({ page }) => {
  await answer(page, {
    ...site,
    // The chat would open itself over the form.
    status: json({ limitReached: true }),
    contact: (route) => route.fulfill({ status: 204 }),
  });
});

async function fillIn(page: Page) {
  for (const [name, value] of Object.entries(written)) await field(page, name).fill(value);
}

test("says where the clinic is, and when", async ({ page }) => {
  await page.goto("/contact");
  await expect(page).toHaveTitle("Contáctanos | Clínica Dental Regency");
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { level: 1 })).toHaveText("Contáctanos");
  await expect(main).toContainText("Vía España, Edificio Plaza Regency");
  await expect(main).toContainText("Piso 9, Ciudad de Panamá");
  await expect(main.locator('a[href^="tel:+507"]')).toHaveCount(2);
  await expect(main.locator('a[href^="mailto:"]')).toHaveCount(1);
  const hours = main.getByRole("table", { name: /Horario de atención/ });
  const rows = hours.getByRole("row");
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(0)).toHaveText(/Lunes a viernes8\sa\.\sm\.\s–\s7\sp\.\sm\./);
  await expect(rows.nth(1)).toHaveText(/Sábado9\sa\.\sm\.\s–\s3\sp\.\sm\./);
  await expect(rows.nth(2)).toHaveText("DomingoCerrado");
  for (const name of ["Facebook", "Instagram", "Twitter", "YouTube"]) {
    await expect(main.getByRole("link", { name })).toHaveAttribute("href", "#");
  }
  await expect(main).toContainText("conforme a la Ley 81 de 2019");
  await expect(main).toContainText(
    "escríbenos con este formulario o a citas@clinica-regency.example.",
  );
  await expectNoSidewaysScroll(page);
});

test("leads to the accounts that the clinic's file names, and to no others", async ({ page }) => {
  linkClinic(page);
  await page.goto("/contact");
  const accounts = page.getByRole("main").locator("h3 + ul").getByRole("link");
  await expect(accounts).toHaveCount(1);
  await expect(accounts).toHaveAttribute("href", "https://instagram.clinica.test/");
  await expect(accounts).toHaveAttribute("rel", "noopener noreferrer");
  await expect(accounts).toHaveAccessibleName(/^Instagram .*pestaña nueva/);
});

test("says under a field what is wrong with it", async ({ page }) => {
  let sent = 0;
  await answer(page, {
    contact: (route) => {
      sent += 1;
      return route.fulfill({ status: 204 });
    },
  });
  await page.goto("/contact");
  await submit(page).click();
  for (const [name, words] of [
    ["Nombre", "Name must be at least 2 characters"],
    ["Correo electrónico", "Please enter a valid email address"],
    ["Mensaje", "Message must be at least 10 characters"],
  ] as const) {
    await expect(page.getByText(words)).toHaveAttribute("lang", "en");
    await expect(field(page, name)).toHaveAccessibleDescription(new RegExp(words));
    await expect(field(page, name)).toHaveAttribute("aria-invalid", "true");
    await expect(field(page, name)).toHaveCSS("border-top-color", "rgb(191, 47, 40)");
  }
  await expect(field(page, "Nombre")).toBeFocused();
  await field(page, "Nombre").fill("Li");
  await expect(page.getByText("Name must be at least 2 characters")).toHaveCount(0);
  await field(page, "Mensaje").fill("   hola    ");
  for (const address of ["li@", "li@😀", "<b>li@correo.example</b>", "li correo"]) {
    await field(page, "Correo electrónico").fill(address);
    await submit(page).click();
    await expect(field(page, "Correo electrónico")).toBeFocused();
    await expect(page.getByText("Please enter a valid email address")).toBeVisible();
  }
  await expect(page.getByText("Message must be at least 10 characters")).toBeVisible();
  expect(sent).toBe(0);
});

test("sends once, whatever is written and however often it is clicked", async ({ page }) => {
  const sent: unknown[] = [];
  let answerNow = () => {};
  const held = new Promise<void>((resolve) => {
    answerNow = resolve;
  });
  await answer(page, {
    contact: async (route) => {
      sent.push(route.request().postDataJSON());
      await held;
      await route.fulfill({ status: 204 });
    },
  });
  await page.goto("/contact");
  await fillIn(page);
  await submit(page).dblclick();
  const pending = page.getByRole("button", { name: "Enviando..." });
  await expect(pending).toBeDisabled();
  await expectAccessible(page, page.locator("main"));
  await pending.click({ force: true });
  answerNow();
  const thanks = page.getByRole("heading", { name: "¡Gracias!" });
  await expect(thanks).toBeFocused();
  await expect(page.getByRole("main")).toContainText(
    "Tu mensaje ha sido enviado. Nos pondremos en contacto contigo pronto.",
  );
  const toast = page.getByRole("region", { name: "Notificaciones" });
  await expect(toast).toContainText("¡Éxito!");
  await expect(toast).toContainText(
    "Tu mensaje ha sido enviado. Nos pondremos en contacto contigo pronto.",
  );
  expect(sent).toEqual([
    {
      name: written.Nombre,
      email: written["Correo electrónico"],
      phone: written["Teléfono (opcional)"],
      message: written.Mensaje,
    },
  ]);
  await page.getByRole("button", { name: "Enviar Otro Mensaje" }).click();
  await expect(field(page, "Nombre")).toBeFocused();
  for (const name of Object.keys(written)) await expect(field(page, name)).toHaveValue("");
});

test("takes a message of 5,000 characters and no longer one", async ({ page }) => {
  const lengths: number[] = [];
  await answer(page, {
    contact: async (route) => {
      lengths.push(route.request().postDataJSON().message.length);
      await route.fulfill({ status: 204 });
    },
  });
  await page.goto("/contact");
  await fillIn(page);
  await field(page, "Mensaje").fill("a".repeat(4999));
  await expect(page.getByText("4999 / 5000")).toBeVisible();
  await field(page, "Mensaje").press("End");
  await page.keyboard.type("bc");
  await expect(page.getByText("5000 / 5000")).toBeVisible();
  await expectNoSidewaysScroll(page);
  await submit(page).click();
  await expect(page.getByRole("heading", { name: "¡Gracias!" })).toBeVisible();
  expect(lengths).toEqual([5000]);
});

test.describe("a failure of the server", () => {
  test.use({ expectedError: /^ApiError: 503: / });

  test("keeps what was written, says so and is logged", async ({ page }) => {
    await answer(page, { contact: failure(503) });
    await page.goto("/contact");
    await fillIn(page);
    await submit(page).click();
    const toast = page.getByRole("region", { name: "Notificaciones" });
    await expect(toast).toContainText("Error");
    await expect(toast).toContainText(
      "Hubo un problema al enviar tu mensaje. Por favor, intenta de nuevo.",
    );
    await expect(toast.locator("[data-variant=destructive]")).toBeVisible();
    for (const [name, value] of Object.entries(written)) {
      await expect(field(page, name)).toHaveValue(value);
    }
    await expect(submit(page)).toBeEnabled();
  });
});

test.describe("a form that the server refuses", () => {
  test.use({ expectedError: /^ApiError: 400: / });

  test("shows what the server says about a field", async ({ page }) => {
    const words = "Escribe un correo que exista.";
    await answer(page, {
      contact: failure(400, { message: "Revisa el formulario.", fields: { email: words } }),
    });
    await page.goto("/contact");
    await fillIn(page);
    await submit(page).click();
    await expect(field(page, "Correo electrónico")).toHaveAccessibleDescription(words);
    await expect(field(page, "Correo electrónico")).toBeFocused();
  });
});

test("has a form that a browser can send by itself", async ({ browser, baseURL }) => {
  const context = await browser.newContext({ baseURL: baseURL ?? "" });
  const page = await context.newPage();
  await answer(page, site);
  await page.goto("/contact");
  const form = page.locator("form[action='/contact#mensaje'][method='post']");
  await expect(form.locator("[name=name][required][minlength='2']")).toBeVisible();
  await expect(form.locator("[name=email][type=email][required]")).toBeVisible();
  await expect(form.locator("[name=phone]")).toBeVisible();
  await expect(form.locator("[name=message][required][maxlength='5000']")).toBeVisible();
  await expect(form.locator("[name=website]")).toBeHidden();
  await page.goto("/contact?enviado=1");
  await expect(page.getByRole("heading", { name: "¡Gracias!" })).toBeVisible();
  await page.getByRole("link", { name: "Enviar Otro Mensaje" }).click();
  await expect(page.getByLabel("Mensaje")).toBeVisible();
  await context.close();
});

/** Opens the page as a server hands it out whose clinic has this map. */
async function openWithMap(page: Page, map: string) {
  await page.route("**/contact", async (route) => {
    const response = await route.fetch();
    const facts = { ...clinic, links: { ...clinic.links, map } };
    const data = JSON.stringify({ "/api/clinic": facts });
    const { "content-security-policy": policy = "", ...headers } = response.headers();
    await route.fulfill({
      response,
      // The map of this test is the site's own.
      headers: {
        ...headers,
        "content-security-policy": policy.replace(/frame-src [^;]*/, "frame-src 'self'"),
      },
      body: (await response.text()).replace(
        "<body>",
        `<body><script type="application/json" id="page-data">${data}</script>`,
      ),
    });
  });
  await page.goto("/contact");
  // The browser draws the page anew over the server's HTML; only then is it checked by script.
  await expect(page.locator("form[novalidate]")).toBeAttached();
}

test("shows the map once the visitor asks for it", async ({ page }) => {
  const asked: string[] = [];
  await page.route("**/mapa", (route) => {
    asked.push(route.request().url());
    return route.fulfill({ contentType: "text/html", body: "<title>mapa</title>" });
  });
  await openWithMap(page, "/mapa");
  const show = page.getByRole("button", { name: "Mostrar el mapa" });
  await show.scrollIntoViewIfNeeded();
  expect(asked).toEqual([]);
  // The place itself is in the middle.
  const [sketch, words] = await Promise.all([
    page.locator('img[src="/img/map.svg"]').boundingBox(),
    page.getByText("Estamos en").boundingBox(),
  ]);
  const middle = (sketch?.y ?? 0) + (sketch?.height ?? 0) / 2;
  expect(words?.y).toBeGreaterThan(middle);
  await expect(page.getByRole("link", { name: /Ver en el mapa/ })).toHaveAttribute(
    "target",
    "_blank",
  );
  await show.click();
  const map = page.getByTitle("Mapa del centro de la Ciudad de Panamá");
  await expect(map).toHaveAttribute("loading", "lazy");
  await expect(() => expect(asked).toHaveLength(1)).toPass();
  await expect(show).toHaveCount(0);
});

test("leads to the map of everybody where there is none to show", async ({ page }) => {
  await openWithMap(page, "");
  const way = page.getByRole("heading", { name: "Cómo llegar" });
  await expect(way).toBeVisible();
  await expect(page.getByRole("button", { name: "Mostrar el mapa" })).toHaveCount(0);
  await expect(page.getByRole("link", { name: /Ver en el mapa/ })).toHaveAttribute(
    "href",
    /^https:\/\/www\.openstreetmap\.org\/\?mlat=8/,
  );
});

test("says so when the map does not come", async ({ page }) => {
  await page.clock.install();
  await page.route("**/mapa", neverAnswers);
  await openWithMap(page, "/mapa");
  await page.getByRole("button", { name: "Mostrar el mapa" }).click();
  await page.clock.runFor(16_000);
  await expect(page.getByText("El mapa no está disponible en este momento.")).toBeVisible();
  await expect(page.locator("iframe")).toHaveCount(0);
});

test("hours stay whole on the smallest phone, and the last of three facts fills its row", async ({
  page,
}) => {
  const names = ["Estacionamiento", "Formas de pago", "Idiomas"];
  setClinic(page, { facts: names.map((name) => ({ key: name, name, value: "Sí" })) });
  await page.goto("/contact");
  await page.setViewportSize({ width: 320, height: 640 });
  const hours = page.getByRole("row", { name: /^Lunes a viernes/ }).getByRole("cell");
  // A line is 26 px high.
  await expect
    .poll(async () => (await hours.locator("span").boundingBox())?.height)
    .toBeLessThan(40);
  await page.setViewportSize({ width: 1280, height: 900 });
  const right = (text: string) =>
    page
      .getByRole("term")
      .filter({ hasText: text })
      .evaluate((term) => {
        const list = term.closest("dl")?.getBoundingClientRect();
        return Math.round(
          (list?.right ?? 0) - (term.parentElement?.getBoundingClientRect().right ?? 0),
        );
      });
  await expect.poll(() => right("Idiomas")).toBe(0);
});
