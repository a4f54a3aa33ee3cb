/** Pages as the server sends them, to a browser that runs no script. */
import type { Page } from "@playwright/test";
import { neverAnswers } from "./answers";
import { expect, expectNoSidewaysScroll, test } from "./test";

test.use({ javaScriptEnabled: false });

const pages = [
  ["/", "Atención dental especializada en la Ciudad de Panamá", "Tu primera visita, paso a paso"],
  ["/services", "Nuestros Servicios", "Implantes dentales"],
  ["/services/rehabilitacion-oral", "Rehabilitación oral", "Nuestro proceso en seis pasos"],
  ["/services/diseno-sonrisa", "Diseño de sonrisa", "¿Es permanente?"],
  ["/services/carillas", "Carillas dentales", "¿Por qué elegir nuestra clínica?"],
  ["/about", "Conócenos", "Dra. Mireya Castrellón"],
  ["/about/noelia-barsallo", "Dra. Noelia Barsallo", "Afiliaciones profesionales"],
  ["/contact", "Contáctanos", "Piso 9, Ciudad de Panamá"],
  ["/privacidad", "Privacidad y tus datos", "Quién responde por tus datos"],
  ["/blog", "Blog de Salud Dental", "Por qué sangran las encías"],
  ["/blog/por-que-sangran-las-encias", "Por qué sangran las encías", "Cuándo consultar"],
] as const;

for (const [path, heading, words] of pages) {
  test(`${path} is complete`, async ({ page }) => {
    const response = await page.goto(path);
    expect(response?.status()).toBe(200);
    const main = page.getByRole("main");
    await expect(main.getByRole("heading", { level: 1 })).toHaveText(heading);
    await expect(main).toContainText(words);
    await expect(page.getByTestId("skeleton")).toHaveCount(0);
    await expect(page.locator(".startup")).toBeHidden();
    await expect(page.getByRole("contentinfo").locator('a[href^="tel:+507"]')).toHaveCount(2);
    await expect(page.getByRole("contentinfo").locator('a[href^="mailto:"]')).toHaveCount(1);
    await expect(page.locator('link[rel="canonical"]')).toHaveCount(1);
    await expect(page.locator('meta[name="description"]')).toHaveCount(1);
    await expect(page.locator('meta[property="og:image"]')).toHaveCount(1);
    const items = await page.locator('script[type="application/ld+json"]').allTextContents();
    expect(items.map((item) => JSON.parse(item)["@context"])).toContain("https://schema.org");
  });
}

test("the home page is ten screens on a phone at most", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/");
  await expect(page.getByRole("contentinfo")).toBeVisible();
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  expect(height).toBeLessThan(8_500);
});

test("what there is not is a 404", async ({ page }) => {
  for (const path of ["/services/no-existe", "/blog/no-existe", "/no/existe"]) {
    const response = await page.goto(path);
    expect(response?.status()).toBe(404);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("404 Page Not Found");
    await expect(page.locator('meta[name="robots"]')).toHaveAttribute("content", "noindex");
  }
});

test("the contact form posts, and a phone shows the thanks for it", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/contact");
  await page.getByLabel("Nombre").fill("Ana Ñ 😀");
  await page.getByLabel("Correo electrónico").fill("ana@correo.example");
  await page.getByLabel("Mensaje").fill("Hola, quisiera una cita. <b>Gracias</b>");
  await page.getByRole("button", { name: "Enviar Mensaje" }).click();
  await expect(page).toHaveURL("/contact?enviado=1#mensaje");
  await expect(page.getByRole("heading", { name: "¡Gracias!" })).toBeInViewport();
  await page.getByRole("link", { name: "Enviar Otro Mensaje" }).click();
  await expect(page.getByLabel("Nombre")).toHaveValue("");
});

test("a form that was not taken comes back as it was filled in, with what is wrong", async ({
  page,
}) => {
  await page.goto("/contact");
  await page.getByLabel("Nombre").fill("   ");
  await page.getByLabel("Correo electrónico").fill("ana@correo");
  await page.getByLabel("Teléfono").fill("6000-0000");
  await page.getByLabel("Mensaje").fill("  <b>Hola</b> 😀  ");
  await page.getByLabel("Mensaje").press("End");
  const answered = page.waitForResponse((response) => response.request().method() === "POST");
  await page.getByRole("button", { name: "Enviar Mensaje" }).click();
  expect((await answered).status()).toBe(400);
  await expect(page).toHaveURL("/contact#mensaje");
  await expect(page.getByLabel("Nombre")).toBeInViewport();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Contáctanos");
  for (const [label, words] of [
    ["Nombre", "Name must be at least 2 characters"],
    ["Correo electrónico", "Please enter a valid email address"],
  ] as const) {
    await expect(page.getByLabel(label)).toHaveAccessibleDescription(new RegExp(words));
    await expect(page.getByText(words)).toHaveAttribute("lang", "en");
  }
  await expect(page.getByText("Message must be at least 10 characters")).toHaveCount(0);
  await expect(page.getByLabel("Correo electrónico")).toHaveValue("ana@correo");
  await expect(page.getByLabel("Teléfono")).toHaveValue("6000-0000");
  await expect(page.getByLabel("Mensaje")).toHaveValue(/<b>Hola<\/b> 😀/);
  await page.getByLabel("Nombre").fill("Ana");
  await page.getByLabel("Correo electrónico").fill("ana@correo.example");
  await page.getByRole("button", { name: "Enviar Mensaje" }).click();
  await expect(page.getByRole("heading", { name: "¡Gracias!" })).toBeVisible();
});

const specialtyPages = [
  "/services/ortodoncia",
  "/services/endodoncia",
  "/services/periodoncia",
  "/services/rehabilitacion-oral",
  "/services/implantes-dentales",
  "/services/muelas-del-juicio",
  "/services/diseno-sonrisa",
];

test("the menu of wide screens opens", async ({ page }) => {
  await page.goto("/about");
  const nav = page.getByRole("banner").getByRole("navigation");
  const all = nav.getByRole("link", { name: "Ver todas las especialidades" });
  await expect(all).toBeHidden();
  await nav.locator("summary").click();
  await expect(all).toBeVisible();
  for (const path of ["/", "/about", "/blog", "/contact", "/services", ...specialtyPages]) {
    await expect(nav.locator(`a[href="${path}"]`)).toBeVisible();
  }
});

test("the menu of small screens opens", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/about");
  const header = page.getByRole("banner");
  await header.locator("summary").filter({ hasText: "Abrir el menú" }).click();
  const nav = header.getByRole("navigation");
  await nav.locator("summary").click();
  for (const path of ["/", "/about", "/blog", "/contact", "/services", ...specialtyPages]) {
    await expect(nav.locator(`a[href="${path}"]`)).toBeVisible();
  }
});

/** Holds the page's script back until the returned function is called. */
async function holdScript(page: Page): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/assets/main-*.js", async (route) => {
    await held;
    await route.fallback();
  });
  return release;
}

test.describe("with a script", () => {
  test.use({ javaScriptEnabled: true });

  const opener = (page: Page) => page.getByRole("button", { name: "Abrir el asistente virtual" });

  const routes = {
    "page of the site": pages.map(([path]) => path),
    "specialty, doctor or other page": [
      ...specialtyPages,
      "/about/irina-solanilla",
      "/about/tadeo-villalaz",
      "/blog/brackets-o-alineadores",
      "/no/existe",
    ],
  };

  for (const [kind, paths] of Object.entries(routes)) {
    test(`no ${kind} asks anybody else for anything or is too wide`, async ({ page, baseURL }) => {
      const foreign: string[] = [];
      page.on("request", (request) => {
        if (new URL(request.url()).origin !== baseURL) foreign.push(request.url());
      });
      for (const path of paths) {
        await page.setViewportSize({ width: 390, height: 844 });
        await page.goto(path);
        // It comes last: the page has been taken over.
        await expect(opener(page)).toBeVisible();
        await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
        await expectNoSidewaysScroll(page);
        await page.setViewportSize({ width: 1280, height: 844 });
        await expectNoSidewaysScroll(page);
      }
      expect(foreign).toEqual([]);
    });
  }

  test("what was written before the script came stays", async ({ page }) => {
    const release = await holdScript(page);
    await page.goto("/contact");
    await page.getByLabel("Nombre").fill("Ana Ñ");
    release();
    await expect(opener(page)).toBeVisible();
    await page.getByLabel("Correo electrónico").fill("ana@correo.example");
    await expect(page.getByLabel("Nombre")).toHaveValue("Ana Ñ");
  });

  test("a form that is sent in the moment in which the script takes it over is sent whole", async ({
    page,
  }) => {
    await page.addInitScript(() => {
      // React posts itself a message for what comes after it took the page over.
      const { postMessage } = MessagePort.prototype;
      let taken = false;
      const send = () => {
        const form = document.querySelector("form#mensaje");
        taken ||=
          form?.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true })) === false;
      };
      MessagePort.prototype.postMessage = function (...message: [unknown]) {
        if (!taken) queueMicrotask(send);
        postMessage.apply(this, message);
      };
    });
    const release = await holdScript(page);
    await page.goto("/contact");
    await page.getByLabel("Nombre").fill("Ana Ñ");
    await page.getByLabel("Correo electrónico").fill("ana@correo.example");
    await page.getByLabel("Mensaje").fill("Quisiera una cita, por favor.");
    release();
    await expect(page.getByText("¡Gracias!").first()).toBeVisible();
  });

  test("the scripts wait for what is seen first, or for the visitor to begin", async ({ page }) => {
    const scripts: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/assets/main-")) scripts.push(request.url());
    });
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/img/hero/1*", async (route) => {
      await held;
      await route.fallback();
    });
    await page.goto("/", { waitUntil: "domcontentloaded" });
    expect(scripts).toEqual([]);
    release();
    await expect(opener(page)).toBeVisible();

    await page.route("**/img/hero/1*", neverAnswers);
    await page.reload({ waitUntil: "domcontentloaded" });
    await page.keyboard.press("Tab");
    await expect(opener(page)).toBeVisible();
  });

  test("a press of the appointment's link before the script came opens the chat", async ({
    page,
  }) => {
    const release = await holdScript(page);
    const booted = page.waitForResponse("**/assets/index-*.js");
    await page.goto("/services/endodoncia");
    await (await booted).finished();
    await page.getByRole("main").getByRole("link", { name: "Agendar una Consulta" }).click();
    await expect(opener(page)).toHaveCount(0);
    release();
    await expect(page.getByRole("log")).toContainText("Quiero agendar una cita");
    await expect(page).toHaveURL("/services/endodoncia");
  });

  test("the three posts that the home page comes with are not taken for all", async ({ page }) => {
    await page.goto("/");
    await expect(page.getByRole("article")).toHaveCount(3);
    await expect(opener(page)).toBeVisible();
    await page.getByRole("link", { name: "Ver Todos los Artículos" }).click();
    await expect(page).toHaveURL("/blog");
    await expect(page.getByRole("article").nth(3)).toBeVisible();
  });

  test("a page has its own title again after the login", async ({ page }) => {
    await page.goto("/");
    const title = await page.title();
    await page.getByRole("contentinfo").locator('a[href="/login"]').click();
    await expect(page).toHaveTitle("Acceso al Dashboard | Clínica Dental Regency");
    await page.getByRole("link", { name: "Volver al sitio" }).click();
    await expect(page).toHaveTitle(title);
  });

  test("a page that the server rendered is taken over without a word", async ({ page }) => {
    for (const path of [
      "/about",
      "/about/tadeo-villalaz",
      "/contact",
      "/contact?enviado=1",
      "/blog",
    ]) {
      await page.goto(path);
      await expect(opener(page)).toBeVisible();
    }
    await page.goto("/blog/por-que-sangran-las-encias");
    await expect(page.getByRole("link", { name: "Compartir en Facebook" })).toHaveAttribute(
      "href",
      new RegExp(encodeURIComponent("/blog/por-que-sangran-las-encias")),
    );
    // There is no such article: the not-found page comes with 404, then the listing.
    const answered = await page.goto("/blog/no-existe");
    expect(answered?.status()).toBe(404);
    await expect(page).toHaveURL("/blog");
  });
});
