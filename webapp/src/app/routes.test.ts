import { expect, it } from "vitest";
import { pageAnswers, pageTexts } from "../../e2e/texts";
import { headElements, headOf } from "./head";
import { canonicalPath, matchRoute, notFound, routes, staffRoutes } from "./routes";

it.each([
  ["/", "/", ""],
  ["/About/", "/about", "about"],
  ["/about/Irina-Solanilla", "/about/:slug", "irina-solanilla"],
  ["/services/Carillas", "/services/:slug", "carillas"],
  ["/blog/un-post", "/blog/:slug", "un-post"],
  ["/services/", "/services", "services"],
  ["/services/a/b", "*", "b"],
  ["/nada", "*", "nada"],
])("finds the page at %s", (path, route, slug) => {
  expect(matchRoute(path)).toMatchObject({ route: { path: route }, slug });
});

it("spells paths in lower case without a slash at the end", () => {
  expect(["/", "/About/", "/blog/X//"].map(canonicalPath)).toEqual(["/", "/about", "/blog/x"]);
});

const answers: Record<string, unknown> = {
  ...pageAnswers,
  "/api/services/slug/carillas": {
    pageTitle: "Carillas | Clínica Dental Regency",
    pageDescription: "Láminas finas.",
  },
  "/api/blog/slug/encias": {
    pageTitle: "Encías | Clínica Dental Regency",
    pageDescription: "Por qué.",
    imageUrl: "/img/e.webp",
  },
};
const answerOf = (call: string) => answers[call];

it.each([
  ["/Services/Carillas", 200, "Carillas | Clínica Dental Regency", "Láminas finas."],
  ["/blog/encias", 200, "Encías | Clínica Dental Regency", "Por qué."],
  ["/services/otra", 404, "404 | Clínica Dental Regency", undefined],
  ["/about/nadie", 404, "404 | Clínica Dental Regency", undefined],
  ["/otra", 404, "404 | Clínica Dental Regency", undefined],
  ["/services", 200, "Servicios dentales | Clínica Dental Regency", undefined],
])("describes %s", (path, status, title, description) => {
  const head = headOf(path, answerOf);
  expect(head).toMatchObject({ status, title, ...(description && { description }) });
  expect(head.description).not.toContain("{{");
  const rels = headElements(head, "https://x.example").map(({ attributes }) => attributes.rel);
  expect(rels.includes("canonical")).toBe(status === 200);
});

it("names the lower-case address and the record's picture", () => {
  const elements = headElements(headOf("/BLOG/Encias", answerOf), "https://x.example");
  const contents = elements.map(({ attributes }) => attributes.content ?? attributes.href);
  expect(contents).toContain("https://x.example/blog/encias");
  expect(contents).toContain("https://x.example/social/e.jpg");
  expect(contents).toContain("article");
});

it("names every page once", () => {
  const paths = [...routes.map(({ path }) => path), ...staffRoutes, notFound.path];
  const titles = paths
    .filter((path) => !path.includes(":"))
    .map((path) => headOf(path, answerOf).title);
  expect(new Set(titles).size).toBe(titles.length);
});

it("leads with its menus to pages that there are", () => {
  const paths = Array.from(
    JSON.stringify(pageTexts.site).matchAll(/"path":"([^"]*)"/g),
    ([, path]) => path,
  );
  expect(paths.length).toBeGreaterThan(0);
  const missing = paths.filter((path = "") => matchRoute(path).route === notFound);
  expect(missing).toEqual([]);
});

it("gives the title and the status of one page, and no other", () => {
  const record = { pageTitle: "T", pageDescription: "D" };
  const answer = (known: boolean) => (call: string) =>
    call.includes("/slug/") ? (known ? record : undefined) : answerOf(call);
  const titleOfNone = headOf("/nada", answer(true)).title;
  for (const route of [...routes.map(({ path }) => path), ...staffRoutes]) {
    for (const path of [route, `${route.toUpperCase()}/`]) {
      for (const known of [true, false]) {
        const head = headOf(path.replace(/:SLUG/i, "x"), answer(known));
        expect(head.status === 200, path).toBe(head.title !== titleOfNone);
        if (known) expect(head.status, path).toBe(200);
      }
    }
  }
  for (const path of staffRoutes) expect(headOf(path, () => undefined).indexed).toBe(false);
});
