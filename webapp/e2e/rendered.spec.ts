/** Pages as the server sends them, to a browser that runs no script. */
import { expect, test } from "./test";

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

test("what there is not is a 404", async ({ page }) => {
  for (const path of ["/services/no-existe", "/blog/no-existe", "/no/existe"]) {
    const response = await page.goto(path);
    expect(response?.status()).toBe(404);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("404 Page Not Found");
    await expect(page.locator('meta[name="robots"]')).toHaveAttribute("content", "noindex");
  }
});

test("the contact form posts", async ({ page }) => {
  await page.goto("/contact");
  await page.getByLabel("Nombre").fill("Ana Ñ 😀");
  await page.getByLabel("Correo electrónico").fill("ana@correo.example");
  await page.getByLabel("Mensaje").fill("Hola, quisiera una cita. <b>Gracias</b>");
  await page.getByRole("button", { name: "Enviar Mensaje" }).click();
  await expect(page).toHaveURL("/contact?enviado=1");
  await expect(page.getByRole("heading", { name: "¡Gracias!" })).toBeVisible();
  await page.getByRole("link", { name: "Enviar Otro Mensaje" }).click();
  await expect(page.getByLabel("Nombre")).toHaveValue("");
});

test.describe("with a script", () => {
  test.use({ javaScriptEnabled: true });

  test("a page that the server rendered is taken over without a word", async ({ page }) => {
    for (const path of [
      "/about",
      "/about/tadeo-villalaz",
      "/contact",
      "/contact?enviado=1",
      "/blog",
    ]) {
      await page.goto(path);
      await expect(page.getByRole("button", { name: "Abrir el asistente virtual" })).toBeVisible();
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
