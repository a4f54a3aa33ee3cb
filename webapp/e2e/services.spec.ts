import type { SpecialtyTexts } from "../src/content/specialties";
import {
  answer,
  failure,
  json,
  linkClinic,
  neverAnswers,
  service,
  services,
  site,
} from "./answers";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./test";
import { sectionsOf } from "./texts";

// The chat, which opens itself over other things, has its own tests.
const quiet = { ...site, status: json({ limitReached: true }) };

test.beforeEach(async ({ page }) => {
  await answer(page, quiet);
});

test.describe("the list", () => {
  test("shows every service", async ({ page }) => {
    await page.goto("/services");
    await expect(page).toHaveTitle("Servicios dentales | Clínica Dental Regency");
    const main = page.getByRole("main");
    await expect(main.getByRole("heading", { level: 1 })).toHaveText("Nuestros Servicios");
    for (const { title, description, slug } of services) {
      await expect(main.getByRole("heading", { name: title })).toBeVisible();
      await expect(main.getByText(description)).toBeVisible();
      const link = main.getByRole("link", { name: `Conocer más sobre ${title}` });
      await expect(link).toHaveAttribute("href", `/services/${slug}`);
    }
    await expect(main.getByRole("link", { name: /Reservar una Cita/ })).toBeVisible();
    await expectNoSidewaysScroll(page);
  });

  test("falls back to the picture of the title, then to the placeholder", async ({ page }) => {
    const without = ({ imageUrl: _, ...rest }: ReturnType<typeof service>) => rest;
    await answer(page, {
      services: json([
        without(service("Muelas del juicio", "muelas")),
        without(service("Nadie lo dibujó", "x")),
      ]),
    });
    await page.goto("/services");
    const images = page.getByRole("main").locator("li img");
    await expect(() => images.last().scrollIntoViewIfNeeded()).toPass();
    await expect(images.first()).toHaveAttribute("src", "/img/services/muelas-del-juicio.webp");
    await expect(images.last()).toHaveAttribute("src", "/img/placeholder.svg");
  });

  test("stands with six placeholders while it loads", async ({ page }) => {
    await answer(page, { services: neverAnswers });
    await page.goto("/services");
    await expect(page.getByTestId("skeleton")).toHaveCount(6);
  });

  test("says that it could not be loaded, or that there is nothing", async ({ page }) => {
    await answer(page, { services: failure(503) });
    await page.goto("/services");
    await expect(page.getByRole("alert")).toContainText(
      "Error al cargar los servicios. Por favor, inténtalo de nuevo más tarde.",
    );
    await answer(page, { services: json([]) });
    await page.reload();
    await expect(page.getByText("Pronto publicaremos nuestros servicios.")).toBeVisible();
  });
});

test.describe("a service without a page of its own", () => {
  test("shows its record and five reasons", async ({ page }) => {
    await page.goto("/services/carillas");
    await expect(page).toHaveTitle("Carillas | Clínica Dental Regency");
    await expect(page.locator('meta[name="description"]')).toHaveAttribute(
      "content",
      "Carillas: lo esencial en una frase.",
    );
    const main = page.getByRole("main");
    await expect(main.getByRole("heading", { level: 1 })).toHaveText("Carillas");
    await expect(main.getByRole("heading", { name: "Sobre este servicio" })).toBeVisible();
    await expect(main.getByText("Una lámina fina.")).toBeVisible();
    const reasons = main
      .getByRole("region")
      .or(main.locator("section"))
      .filter({
        has: page.getByRole("heading", { name: "¿Por qué elegir nuestra clínica?" }),
      });
    await expect(reasons.last().getByRole("listitem")).toHaveCount(5);
    const book = main.getByRole("link", { name: "Agendar una Consulta" });
    await expect(book).toHaveAttribute("href", "/contact");
    const all = main.getByRole("link", { name: "Ver Todos los Servicios" });
    await expect(all).toHaveAttribute("href", "/services");
    await expect(page.getByTestId("overlay")).toHaveCount(0);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });

  test("has a picture that the site does not bring along behind its words, darkened by 60 %", async ({
    page,
  }) => {
    const imageUrl = "/fotos/carillas.jpg";
    await answer(page, { service: json({ ...service("Carillas", "carillas"), imageUrl }) });
    await page.goto("/services/carillas");
    await expect(page.getByTestId("overlay")).toHaveCSS("background-color", /0\.6\)$/);
    await expectAccessible(page);
  });

  test("stands with a skeleton while it loads", async ({ page }) => {
    await answer(page, { service: neverAnswers });
    await page.goto("/services/carillas");
    await expect(page.getByTestId("service-skeleton")).toBeVisible();
  });

  test("leads to all services when it cannot be loaded", async ({ page }) => {
    await answer(page, { service: failure(404) });
    await page.goto("/services/no-existe");
    await expect(page).toHaveURL(/\/services$/);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Nuestros Servicios");
  });
});

const textsOf = (slug: string) => sectionsOf(slug) as SpecialtyTexts;

/** What the specification counts, by section. */
const specialties: Record<string, Record<string, number>> = {
  "muelas-del-juicio": {},
  periodoncia: {},
  endodoncia: {},
  ortodoncia: {},
  "implantes-dentales": { testimonios: 3 },
  "rehabilitacion-oral": {
    cuando: 6,
    beneficios: 7,
    proceso: 6,
    tecnologia: 5,
    razones: 6,
  },
  "diseno-sonrisa": { beneficios: 6, proceso: 3, testimonios: 2 },
};

for (const [slug, counts] of Object.entries(specialties)) {
  test(`${slug} says everything`, async ({ page }) => {
    linkClinic(page);
    const { hero, sections, closing } = textsOf(slug);
    await page.goto(`/services/${slug}`);
    await expect(page).toHaveTitle(/ \| Clínica Dental Regency$/);
    await expect(page.locator('meta[name="description"]')).toHaveAttribute("content", /Panamá/);
    const main = page.getByRole("main");
    await expect(main.getByRole("heading", { level: 1 })).toHaveText(hero.title);
    for (const section of sections) {
      const shown = main.locator(`[id="${section.id}"]`);
      if (section.kind !== "quote") {
        await expect(shown.getByRole("heading", { level: 2 })).toHaveText(section.heading);
      }
      const count = counts[section.id];
      if (count !== undefined) await expect(shown.getByRole("listitem")).toHaveCount(count);
    }
    const book = main.getByRole("link", { name: new RegExp(`^${closing.book}`) }).last();
    await expect(book).toHaveAttribute("href", /^https:/);
    await expect(book).toHaveAttribute("target", "_blank");
    if (closing.all) {
      expect(closing).toMatchObject({
        book: "Agendar una Consulta",
        all: "Ver Todos los Servicios",
      });
      const all = main.getByRole("link", { name: closing.all });
      await expect(all).toHaveAttribute("href", "/services");
    }
    await expect(page.getByRole("contentinfo")).toBeVisible();
    await expectNoSidewaysScroll(page);
  });
}

test("the last of a service's cards fills its row on a tablet", async ({ page }) => {
  await page.setViewportSize({ width: 768, height: 1024 });
  await page.goto("/services/implantes-dentales");
  for (const id of ["tecnicas", "testimonios"]) {
    const cards = page.locator(`[id="${id}"] li`);
    await expect(cards.first()).toBeVisible();
    const ends = await cards.evaluateAll((all) =>
      all.map((one) => Math.round(one.getBoundingClientRect().right)),
    );
    expect(ends.at(-1)).toBe(Math.max(...ends));
  }
});

test("rehabilitacion-oral names its figures and the six fields", async ({ page }) => {
  await page.goto("/services/rehabilitacion-oral");
  const main = page.getByRole("main");
  for (const figure of ["87%", "hasta 90%"]) {
    await expect(main.getByText(figure, { exact: true })).toBeVisible();
  }
  await expect(main.locator("#tratamientos").getByRole("heading", { level: 3 })).toHaveText([
    "Prostodoncia",
    "Implantología",
    "Periodoncia",
    "Endodoncia",
    "Ortodoncia",
    "Oclusión",
  ]);
  await expect(main.getByRole("blockquote")).toBeVisible();
});

test("diseno-sonrisa offers a free consultation", async ({ page }) => {
  linkClinic(page);
  await page.goto("/services/diseno-sonrisa");
  const main = page.getByRole("main");
  const book = main.getByRole("link", { name: /^Agenda tu consulta gratis/ }).first();
  await expect(book).toHaveAttribute("target", "_blank");
  await main.getByRole("link", { name: "Conoce el proceso" }).click();
  await expect(main.locator("#proceso")).toBeInViewport();
  await expect(main).toContainText("serán reemplazadas por casos reales");
  const questions = main.locator("#preguntas details");
  await expect(questions).toHaveCount(4);
  await questions.first().getByText("¿Cuánto tiempo toma?").click();
  await expect(questions.first().getByRole("paragraph")).toBeVisible();
  const phone = main.getByRole("link", { name: /llámanos al \+507/ });
  await expect(phone).toHaveAttribute("href", /^tel:\+507/);
  // On the narrowest phone, too, the number is on one line.
  await expect(phone).toHaveText(/\+507\u00a0200\u20110101$/);
});

test("a specialty stands with a skeleton while it loads, and shows nothing without a record", async ({
  page,
}) => {
  await answer(page, { service: neverAnswers });
  await page.goto("/services/periodoncia");
  await expect(page.getByTestId("service-skeleton")).toBeVisible();
  await answer(page, { service: failure(404) });
  await page.reload();
  await expect(page.getByTestId("service-skeleton")).toHaveCount(0);
  await expect(page.getByRole("main")).toBeEmpty();
  await expect(page.getByRole("contentinfo")).toBeVisible();
});
