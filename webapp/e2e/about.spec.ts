import { answer, failure, json, neverAnswers, site } from "./answers";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./test";
import { doctors } from "./texts";

test.beforeEach(async ({ page }) => {
  await answer(page, site);
});

const team = [
  { name: "Dra. Irina Solanilla", title: "Ortodoncista", slug: "irina-solanilla" },
  { name: "Dra. Noelia Barsallo", title: "Endodoncista", slug: "noelia-barsallo" },
  { name: "Dr. Tadeo Villalaz", title: "Periodoncista e implantólogo", slug: "tadeo-villalaz" },
  { name: "Dr. Anselmo Pittí", title: "Rehabilitador oral" },
  { name: "Dr. Fermín Arauz", title: "Cirujano maxilofacial" },
  { name: "Dr. Eliécer Samudio", title: "Endodoncista" },
  { name: "Dra. Mireya Castrellón", title: "Rehabilitadora oral" },
];

test("tells the clinic's history, mission, vision, values and reasons", async ({ page }) => {
  await page.goto("/about");
  await expect(page).toHaveTitle("Conócenos | Clínica Dental Regency");
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { level: 1 })).toHaveText("Conócenos");
  await expect(main).toContainText("Al servicio de la Ciudad de Panamá desde 2005");
  await expect(main).toContainText("Clínica Dental Regency fue fundada en 2011");
  await expect(main).toContainText("15+años de excelencia");
  await expect(main).toContainText("mejora continua");
  await expect(main).toContainText("Ser una clínica dental integral líder en Panamá");
  for (const heading of ["Misión", "Visión", "Nuestros valores", "Tres razones para elegirnos"]) {
    await expect(main.getByRole("heading", { name: heading, exact: true })).toBeVisible();
  }
  const values = ["Compromiso", "Empatía", "Innovación", "Educación", "Puntualidad", "Integridad"];
  const reasons = ["Experiencia profesional", "Tecnología avanzada", "Atención personalizada"];
  for (const heading of [...values, ...reasons]) {
    await expect(main.getByRole("heading", { level: 3, name: heading })).toBeVisible();
  }
  await expect(main.getByRole("link", { name: /Reservar una Cita/ })).toBeVisible();
  await expectNoSidewaysScroll(page);
});

test("shows a team of seven, three of them with a page of their own", async ({ page }) => {
  await page.goto("/about");
  const main = page.getByRole("main");
  for (const { name, title } of team) {
    const card = main.getByRole("listitem").filter({ has: page.getByRole("heading", { name }) });
    await expect(card.getByRole("img", { name: `Retrato ilustrado de ${name}` })).toBeVisible();
    await expect(card).toContainText(title);
  }
  const links = main.getByRole("link", { name: /^Ver el perfil de/ });
  await expect(links).toHaveCount(3);
  await links.last().click();
  await expect(page).toHaveURL("/about/tadeo-villalaz");
  await expect(main.getByRole("heading", { level: 1 })).toHaveText("Dr. Tadeo Villalaz");
});

for (const [slug, name, specialty, service] of [
  ["irina-solanilla", "Dra. Irina Solanilla", "Ortodoncia y odontología láser", "ortodoncia"],
  ["noelia-barsallo", "Dra. Noelia Barsallo", "Endodoncia", "endodoncia"],
  ["tadeo-villalaz", "Dr. Tadeo Villalaz", "Periodoncia e implantología", "periodoncia"],
] as const) {
  test(`presents ${name}`, async ({ page }) => {
    // Routes match whatever the case.
    await page.goto(`/About/${slug.toUpperCase()}`);
    await expect(page).toHaveTitle(new RegExp(`^${name}, .+ Clínica Dental Regency$`));
    const main = page.getByRole("main");
    await expect(main.getByRole("heading", { level: 1 })).toHaveText(name);
    await expect(main.getByText(specialty, { exact: true })).toBeVisible();
    await expect(main.getByRole("img", { name: `Retrato ilustrado de ${name}` })).toBeVisible();
    for (const [heading, items] of [
      ["Especialidades", 6],
      ["Formación académica", 4],
      ["Afiliaciones profesionales", 3],
    ] as const) {
      const part = main.locator("section").filter({
        has: page.getByRole("heading", { level: 2, name: heading }),
      });
      await expect(part.getByRole("listitem")).toHaveCount(items);
    }
    await expect(main.getByRole("heading", { name: "Perfil profesional" })).toBeVisible();
    await expect(main.getByRole("link", { name: "Solicitar Cita" })).toHaveAttribute(
      "href",
      "/contact",
    );
    await expect(main.getByRole("link", { name: `Más sobre ${service}` })).toHaveAttribute(
      "href",
      `/services/${service}`,
    );
    await expectNoSidewaysScroll(page);
  });
}

test("tells what the clinic's file has of a person, and when the treatment is free next", async ({
  page,
}) => {
  const [irina] = doctors;
  const facts = { registration: "2417", languages: ["español", "inglés"], since: 2009 };
  const main = page.getByRole("main");
  const open = () => page.goto("/about/irina-solanilla");
  await open();
  await expect(main.locator("dl")).toHaveText(
    "Próxima hora libreel lunes 4 de marzo a las 10 a. m.",
  );
  await answer(page, { doctor: json({ ...irina, ...facts }), nextFree: json({}) });
  await open();
  await expect(main.locator("dt")).toHaveText([
    "Registro profesional",
    "Idiomas",
    "Ejerce desde",
    "Próxima hora libre",
  ]);
  const values = main.locator("dd");
  await expect(values).toHaveText(["2417", "español, inglés", "2009", "Pregúntala en el chat"]);
  await expectAccessible(page);
  await answer(page, { nextFree: failure(503) });
  await open();
  await expect(values.last()).toHaveText("Pregúntala en el chat");
  await answer(page, { nextFree: neverAnswers });
  await open();
  await expect(values.last()).toHaveText("");
});

test("has no page for the others", async ({ page }) => {
  await page.goto("/about/anselmo-pitti");
  await expect(page.getByRole("heading", { name: "404 Page Not Found" })).toBeVisible();
});

for (const slug of ["nadie", "anselmo-pitti"]) {
  test(`has no page about ${slug}`, async ({ page }) => {
    await page.goto(`/about/${slug}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("404 Page Not Found");
    await expect(page).toHaveTitle("404 | Clínica Dental Regency");
    await page.getByRole("link", { name: "Volver al inicio" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toContainText("Atención dental");
    await expect(page).toHaveTitle("Clínica Dental Regency | Odontología en Ciudad de Panamá");
  });
}

for (const count of [1, 2, 5]) {
  test(`shows a team of ${count}`, async ({ page }) => {
    await answer(page, { doctors: json(doctors.slice(0, count)) });
    await page.goto("/about");
    const cards = page.getByRole("main").locator("#equipo li");
    await expect(cards).toHaveCount(count);
    await expectNoSidewaysScroll(page);
  });
}

test("a drawing is of somebody, wherever they stand, and of nobody else", async ({ page }) => {
  const [first, second] = doctors;
  if (!first || !second) throw new Error("the clinic has two doctors");
  const drawingOf = (name: string) =>
    page.getByRole("img", { name: `Retrato ilustrado de ${name}` }).getAttribute("src");
  await answer(page, { doctors: json([first, second]) });
  await page.goto("/about");
  const drawn = [await drawingOf(first.name), await drawingOf(second.name)];
  expect(drawn[0]).not.toBe(drawn[1]);

  const stranger = { ...first, slug: "ximena-prada", name: "Dra. Ximena Prada" };
  await answer(page, { doctors: json([stranger, second, first]) });
  await page.goto("/about");
  expect([await drawingOf(first.name), await drawingOf(second.name)]).toEqual(drawn);
  const cards = page.getByRole("main").locator("#equipo li");
  await expect(cards.first()).toContainText("XP");
  await expect(cards.first().getByRole("img")).toHaveCount(0);
});

test("shows no team where nobody is named", async ({ page }) => {
  await answer(page, { doctors: json([]) });
  await page.goto("/about");
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { name: "Tres razones para elegirnos" })).toBeVisible();
  await expect(main.getByRole("heading", { name: "Nuestro equipo" })).toHaveCount(0);
  await expectAccessible(page, page.locator("main"));
});
