import {
  answer,
  failure,
  json,
  linkClinic,
  neverAnswers,
  posts,
  services,
  setClinic,
  site,
  testimonials,
} from "./answers";
import { expect, expectNoSidewaysScroll, stopClock, test, tickUntil } from "./test";

// The chat, which opens itself over other things, has its own tests.
const quiet = { ...site, status: json({ limitReached: true }) };

test.beforeEach(async ({ page }) => {
  await answer(page, quiet);
});

test("shows its sections in order", async ({ page }) => {
  linkClinic(page);
  await page.goto("/");
  await expect(page).toHaveTitle("Clínica Dental Regency | Odontología en Ciudad de Panamá");
  await expect(page.locator('meta[name="description"]')).toHaveAttribute(
    "content",
    /Agenda tu cita/,
  );
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(() =>
    main
      .getByRole("heading", { name: "Lo que cuentan nuestros pacientes" })
      .scrollIntoViewIfNeeded(),
  ).toPass();
  await expect(main.getByText("Comentario 3.")).toBeVisible();
  await expect(main.getByText("Comentario 4.")).toHaveCount(0);
  await expect(main.getByText("4 de 5 estrellas")).toHaveCount(1);
  await expect(main.getByText("YM", { exact: true })).toBeVisible();

  const headings = await main.getByRole("heading", { level: 2 }).allTextContents();
  expect(headings.slice(-8)).toEqual([
    "Te damos la bienvenida a Clínica Dental Regency",
    "Servicios destacados",
    "Por qué elegirnos",
    "Tu primera visita, paso a paso",
    "Lo que cuentan nuestros pacientes",
    "Blog de salud dental",
    "Visítanos",
    "¿Damos el primer paso?",
  ]);
  for (const name of [
    "Dentistas Expertos",
    "Tecnología Moderna",
    "Atención Personalizada",
    "Nos conocemos",
    "Entrevista con el Dr.",
    "Exploración",
  ]) {
    await expect(main.getByRole("heading", { name, exact: true })).toBeVisible();
  }
  for (const { title, slug } of services) {
    const link = main.getByRole("link", { name: `Conocer más sobre ${title}` });
    await expect(link).toHaveAttribute("href", `/services/${slug}`);
  }
  for (const [name, target] of [
    ["Ver Todos los Servicios", "/services"],
    ["Ver Todos los Artículos", "/blog"],
    ["Contáctanos", "/contact"],
  ] as const) {
    await expect(main.getByRole("link", { name, exact: true })).toHaveAttribute("href", target);
  }
  for (const name of [
    /Reserva tu primera cita/,
    /Reservar una Cita/,
    /Ver el video de la clínica/,
  ]) {
    const link = main.getByRole("link", { name });
    await expect(link).toHaveAttribute("href", /^https:/);
    await expect(link).toHaveAttribute("target", "_blank");
    await expect(link).toHaveAttribute("rel", "noopener noreferrer");
    await expect(link).toHaveAccessibleName(/se abre en una pestaña nueva/);
  }
  await expect(main.getByRole("table", { name: /Horario de atención/ })).toContainText("Domingo");
  await expectNoSidewaysScroll(page);
});

test("cuts a post's title in its link at 25 characters and describes it by the whole", async ({
  page,
}) => {
  await page.goto("/");
  const teaser = page.getByRole("article");
  await expect(teaser).toHaveCount(3);
  const first = teaser.first();
  await expect(first).toContainText("septiembre 3, 2026");
  await expect(first).toContainText(posts[0]?.excerpt ?? "");
  const link = first.getByRole("link", { name: "Leer: Por qué sangran las encía...", exact: true });
  await expect(link).toHaveAttribute("href", "/blog/articulo-1");
  await expect(link).toHaveAccessibleDescription("Por qué sangran las encías");
  // There is no picture: the placeholder stands in its place.
  await expect(first.locator("img")).toHaveAttribute("src", "/img/placeholder.svg");
});

test("stands for what loads with three placeholders each", async ({ page }) => {
  await answer(page, { featured: neverAnswers, testimonials: neverAnswers, posts: neverAnswers });
  await page.goto("/");
  for (const words of [
    "Cargando los servicios",
    "Cargando los testimonios",
    "Cargando los artículos",
  ]) {
    const status = page.getByRole("status").filter({ hasText: words });
    await expect(status.getByTestId("skeleton")).toHaveCount(3);
  }
});

test("says what could not be loaded", async ({ page }) => {
  await answer(page, { featured: failure(500), testimonials: failure(500), posts: failure(500) });
  await page.goto("/");
  const alerts = page.getByRole("main").getByRole("alert");
  await expect(alerts.first()).toContainText(
    "Error al cargar los servicios. Por favor, inténtalo de nuevo más tarde.",
  );
  await expect(() =>
    page.getByRole("heading", { name: "Blog de salud dental" }).scrollIntoViewIfNeeded(),
  ).toPass();
  await expect(alerts).toContainText([
    "Error al cargar los servicios. Por favor, inténtalo de nuevo más tarde.",
    "Error al cargar los testimonios. Por favor, inténtalo de nuevo más tarde.",
    "Error al cargar las publicaciones del blog. Por favor, inténtalo de nuevo más tarde.",
  ]);
});

test("leaves out what there is not", async ({ page }) => {
  await answer(page, { featured: json([]), testimonials: json([]), posts: json([]) });
  await page.goto("/");
  const main = page.getByRole("main");
  await expect(main.getByText("Pronto publicaremos nuestros servicios.")).toBeVisible();
  await expect(main.getByRole("heading", { name: "Blog de salud dental" })).toHaveCount(0);
  // Testimonials are asked for when their section is near.
  const patients = main.getByRole("heading", { name: "Lo que cuentan nuestros pacientes" });
  await expect(async () => {
    await main.getByRole("heading", { name: "Visítanos" }).scrollIntoViewIfNeeded();
    await expect(patients).toHaveCount(0);
  }).toPass();
});

test("asks for testimonials once, when their section is near", async ({ page }) => {
  let asked = 0;
  await answer(page, {
    testimonials: async (route) => {
      asked += 1;
      await json(testimonials)(route);
    },
  });
  await page.goto("/");
  await expect(page.getByRole("link", { name: /Conocer más sobre/ })).toHaveCount(3);
  expect(asked).toBe(0);
  const heading = page.getByRole("heading", { name: "Lo que cuentan nuestros pacientes" });
  await expect(() => heading.scrollIntoViewIfNeeded()).toPass();
  await expect(page.getByText("Comentario 1.")).toBeVisible();
  await page.evaluate(() => window.scrollTo(0, 0));
  await expect(() => heading.scrollIntoViewIfNeeded()).toPass();
  expect(asked).toBe(1);
});

test("a phone has its cards in rows to swipe, which stop at a card and take the focus", async ({
  page,
}) => {
  await page.goto("/");
  for (const name of ["Servicios destacados", "Blog de salud dental"]) {
    const row = page.getByRole("main").getByRole("list", { name });
    await expect(row).toHaveAttribute("tabindex", "0");
    const second = row.getByRole("listitem").nth(1);
    await row.scrollIntoViewIfNeeded();
    await row.evaluate((one) => one.scrollTo({ left: one.clientWidth, behavior: "instant" }));
    await expect(second).toBeInViewport({ ratio: 0.9 });
    await expect
      .poll(async () => Math.round((await second.boundingBox())?.x ?? -1))
      .toBeLessThanOrEqual(24);
  }
  await expectNoSidewaysScroll(page);
});

test("the third of a row's cards does not stand alone on a tablet", async ({ page }) => {
  await page.setViewportSize({ width: 768, height: 1024 });
  await page.goto("/");
  for (const name of ["Servicios destacados", "Blog de salud dental"]) {
    const row = page.getByRole("main").getByRole("list", { name });
    await expect(row.getByRole("listitem")).toHaveCount(3);
    await expect
      .poll(async () => (await row.getByRole("listitem").last().boundingBox())?.width)
      .toBe((await row.boundingBox())?.width);
  }
});

test("the bar at the bottom leads to the clinic, and covers neither the page's end nor a field", async ({
  page,
}) => {
  const whatsapp = { label: "+507 6000-0101", href: "https://wa.me/50760000101" };
  setClinic(page, { whatsapp });
  await page.goto("/contact");
  const bar = page.getByRole("navigation", { name: "Contacto directo" });
  await expect(bar.getByRole("link", { name: "Llamar" })).toHaveAttribute("href", /^tel:\+507/);
  await expect(bar.getByRole("link", { name: "WhatsApp" })).toHaveAttribute("href", whatsapp.href);
  await expect(bar.getByRole("link", { name: "Agendar" })).toBeVisible();
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  const last = page.getByRole("contentinfo").getByRole("link", { name: "Acceso del personal" });
  const [top, bottom] = [await bar.boundingBox(), await last.boundingBox()];
  expect((bottom?.y ?? 0) + (bottom?.height ?? 0)).toBeLessThanOrEqual(top?.y ?? 0);
  await page.getByLabel("Nombre").focus();
  await expect(bar).toBeHidden();
});

test.describe("the carousel", () => {
  test("goes on every 6 seconds, in a ring, and holds still when asked", { tag: "@both" }, async ({
    page,
    viewport,
  }) => {
    await stopClock(page);
    await page.goto("/");
    const carousel = page.getByRole("region", { name: "Lo más destacado de la clínica" });
    const slide = (number: number) =>
      carousel.getByRole("group", { name: `Diapositiva ${number} de 4` });
    await tickUntil(page, slide(1));
    const height = (await carousel.boundingBox())?.height;
    expect(height).toBe(viewport && viewport.width < 768 ? 400 : 600);
    await page.clock.runFor(6100);
    await expect(slide(2)).toBeVisible();
    await expect(slide(1)).toBeHidden();
    for (const next of [3, 4, 1]) {
      await page.clock.runFor(6100);
      await expect(slide(next)).toBeVisible();
      for (const [name, target] of [
        ["Agendar Cita", "/contact"],
        ["Nuestros Servicios", "/services"],
      ] as const) {
        await expect(slide(next).getByRole("link", { name })).toHaveAttribute("href", target);
      }
    }

    // Focus holds it; leaving lets it go on.
    await carousel.getByRole("button", { name: "Diapositiva siguiente" }).focus();
    await page.clock.runFor(7000);
    await expect(slide(1)).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(slide(2)).toBeVisible();
    await carousel.getByRole("button", { name: "Diapositiva anterior" }).click();
    await carousel.getByRole("button", { name: "Diapositiva anterior" }).click();
    await expect(slide(4)).toBeVisible();
    await carousel.getByRole("button", { name: "Ir a la diapositiva 3 de 4" }).click();
    await expect(slide(3)).toBeVisible();
    const pause = carousel.getByRole("button").first();
    await expect(pause).toHaveAccessibleName("Pausar el carrusel");
    await pause.click();
    await expect(pause).toHaveAccessibleName("Reanudar el carrusel");
    await page.getByRole("link", { name: /ir al inicio/ }).focus();
    await page.mouse.move(5, 5);
    await page.clock.runFor(7000);
    await expect(slide(3)).toBeVisible();
  });

  test("does not move under reduced motion", async ({ page }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.goto("/");
    await expect(page.getByRole("button", { name: "Reanudar el carrusel" })).toBeVisible();
    await page.getByRole("button", { name: "Ir a la diapositiva 4 de 4" }).click();
    await expect(page.getByRole("group", { name: "Diapositiva 4 de 4" })).toBeVisible();
  });
});
