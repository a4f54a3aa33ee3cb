/** Every state in which a page can be looked at: tests of what holds for all go by these lists. */
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import type { components } from "../src/api/schema.gen";
import { type Answers, answer, failure, json, neverAnswers, service, site } from "./answers";
import { input, log, opener, send, widget } from "./chatPanel";
import { expect } from "./test";

type Schemas = components["schemas"];

/** One page as a test finds it: what the server answers, and what somebody did. */
export interface State {
  readonly name: string;
  readonly path: string;
  readonly answers: Answers;
  /** Brings the page there, or waits until it is there. */
  readonly reach: (page: Page) => Promise<unknown>;
  /** What the page then writes to the console, and may. */
  readonly expectedError?: RegExp | undefined;
}

const article: Schemas["Post"] = {
  id: "1",
  title: "Por qué sangran las encías y qué puede hacer un electroencefalografista",
  excerpt: "Lo que conviene saber antes de la cita.",
  slug: "articulo-1",
  content:
    "<h2>Cuándo consultar</h2><p>A <a href='https://otorrinolaringologia.example/una-direccion-que-no-termina'>https://otorrinolaringologia.example/una-direccion-que-no-termina</a>.</p><table><tr><th>Señal</th><th>Electrocauterización</th><th>Desproporcionadamente</th></tr><tr><td>Sangra</td><td>Sí</td><td>No</td></tr></table><ul><li>Uno</li></ul>",
  publishedAt: "2026-09-03T14:00:00.000Z",
  topics: ["encías"],
  pageTitle: "Por qué sangran las encías",
  pageDescription: "Lo que conviene saber antes de la cita.",
};

const notice: Schemas["Notice"] = {
  version: "2026-11-22",
  title: "Privacidad y tus datos",
  description: "Qué se sabe de ti.",
  content: "<h2>Quién responde por tus datos</h2><p>La clínica.</p>",
};

/** The server of a visitor who finds everything. */
const whole: Answers = {
  ...site,
  post: json(article),
  privacy: json(notice),
  contact: (route) => route.fulfill({ status: 204 }),
};

/** The same without the chat, which would stand over the page. */
const quiet: Answers = { ...whole, status: json({ limitReached: true }) };

/** Last parts for the routes that leave it open. */
const slugs: Readonly<Record<string, readonly string[]>> = {
  "/about/:slug": ["irina-solanilla", "noelia-barsallo", "tadeo-villalaz"],
  "/services/:slug": [
    "muelas-del-juicio",
    "periodoncia",
    "endodoncia",
    "ortodoncia",
    "implantes-dentales",
    "rehabilitacion-oral",
    "diseno-sonrisa",
    "carillas",
  ],
  "/blog/:slug": ["articulo-1"],
};

/** The table that the program goes by; it is read, since it imports what only the build can. */
const table = readFileSync(new URL("../src/app/routes.ts", import.meta.url), "utf8");

/** The pages that there are. */
export const paths: readonly string[] = [...table.matchAll(/path: "(\/[^"]*)"/g)].flatMap(
  ([, path = ""]) => {
    if (!path.endsWith("/:slug")) return [path];
    const known = slugs[path];
    if (!known) throw new Error(`no page of ${path} is looked at`);
    return known.map((slug) => path.replace(":slug", slug));
  },
);

const heading = (page: Page) => expect(page.getByRole("heading", { level: 1 })).toBeVisible();
const seen = (text: string | RegExp) => (page: Page) =>
  expect(page.getByText(text).first()).toBeVisible();

/** Unfolds the menu that the width has, with all that it holds. */
async function openMenu(page: Page): Promise<void> {
  await heading(page);
  const header = page.getByRole("banner");
  const mobile = header.locator("summary").filter({ hasText: "Abrir el menú" });
  if (await mobile.isVisible()) await mobile.click();
  await header.locator("summary").filter({ hasText: "Especialidades" }).last().click();
}

async function openChat(page: Page): Promise<void> {
  await opener(page).click();
  await expect(log(page)).toBeVisible();
}

async function say(page: Page): Promise<void> {
  await openChat(page);
  await input(page).fill("¿Atienden los sábados? Me llamo electroencefalografista.");
  await send(page).click();
}

const states = (
  path: string,
  list: Readonly<Record<string, readonly [Answers, State["reach"], RegExp?]>>,
): State[] =>
  Object.entries(list).map(([name, [answers, reach, expectedError]]) => ({
    name: `${path}, ${name}`,
    path,
    answers: { ...quiet, ...answers },
    reach,
    expectedError,
  }));

const waits = (page: Page) => expect(page.getByRole("status").first()).toBeAttached();
const fails = (page: Page) => expect(page.getByRole("alert").first()).toBeVisible();

/** The public site, page by page and state by state. */
export const siteStates: readonly State[] = [
  ...[...paths, "/nada/aqui"].map((path) => ({ name: path, path, answers: quiet, reach: heading })),
  ...states("/", {
    loading: [{ featured: neverAnswers, posts: neverAnswers }, waits],
    failing: [{ featured: failure(503), posts: failure(503), testimonials: failure(503) }, fails],
    empty: [{ featured: json([]), posts: json([]), testimonials: json([]) }, heading],
    "the second slide": [
      {},
      async (page) => {
        await page.getByRole("button", { name: "Siguiente" }).click();
        await expect(page.getByRole("button", { name: /2 de 4/ })).toHaveAttribute(
          "aria-current",
          "true",
        );
      },
    ],
  }),
  ...states("/services", {
    loading: [{ services: neverAnswers }, waits],
    failing: [{ services: failure(503) }, fails],
    empty: [{ services: json([]) }, heading],
    "a picture missing": [
      { services: json([{ ...service("Carillas", "carillas"), imageUrl: "/img/none.webp" }]) },
      heading,
    ],
  }),
  ...states("/services/carillas", { loading: [{ service: neverAnswers }, waits] }),
  ...states("/services/endodoncia", { loading: [{ service: neverAnswers }, waits] }),
  ...states("/blog", {
    loading: [{ posts: neverAnswers }, waits],
    failing: [{ posts: failure(503) }, fails],
    empty: [{ posts: json([]) }, heading],
  }),
  ...states("/blog/articulo-1", { loading: [{ post: neverAnswers }, waits] }),
  ...states("/contact", {
    "what is wrong": [
      {},
      async (page) => {
        await page.getByRole("button", { name: "Enviar Mensaje" }).click();
        await seen("Name must be at least 2 characters")(page);
      },
    ],
    sent: [{}, (page) => sendMessage(page, "¡Gracias!")],
    "not sent": [
      { contact: failure(503) },
      (page) => sendMessage(page, /Hubo un problema/),
      /ApiError/,
    ],
  }),
  ...states("/privacidad", {
    loading: [{ privacy: neverAnswers }, waits],
    failing: [{ privacy: failure(503) }, fails],
  }),
  ...states("/about", {
    "the menu open": [{}, openMenu],
    "the chat beside it": [whole, (page) => expect(opener(page)).toBeVisible()],
    "the chat open": [whole, openChat],
    "a reply": [
      {
        ...whole,
        chat: json({
          response: "Sí: [agenda aquí](https://reservas.example/una-direccion-larga), por favor.",
          messageId: "m",
          action: "new-conversation",
          suggestions: ["mar 24, 9:00 a. m.", "Otro día"],
        }),
      },
      async (page) => {
        await say(page);
        await expect(page.getByRole("button", { name: "Otro día" })).toBeVisible();
      },
    ],
    "a reply on its way": [{ ...whole, chat: neverAnswers }, say],
    "no reply": [
      { ...whole, chat: failure(502) },
      async (page) => {
        await say(page);
        await expect(page.getByRole("button", { name: "Reintentar" })).toBeVisible();
      },
    ],
    "the limit": [{ ...whole, chat: failure(429) }, (page) => say(page).then(() => closed(page))],
    "the menu of the chat": [whole, openChatMenu],
    "before forgetting": [
      whole,
      async (page) => {
        await say(page);
        await expect(log(page)).toContainText("Atendemos de lunes a viernes.");
        await page.locator(widget).getByRole("button", { name: "Opciones del chat" }).click();
        await page.getByRole("menuitem", { name: "Olvidarla en este equipo" }).click();
        await expect(page.getByRole("dialog")).toBeVisible();
      },
    ],
    "before erasing": [
      { ...whole, conversation: json({ sessionId: "s", messages: [] }) },
      async (page) => {
        await say(page);
        await expect(log(page)).toContainText("Atendemos de lunes a viernes.");
        await page.locator(widget).getByRole("button", { name: "Opciones del chat" }).click();
        await page.getByRole("menuitem", { name: "Borrar esta conversación" }).click();
        await expect(page.getByRole("dialog")).toBeVisible();
      },
    ],
  }),
];

async function sendMessage(page: Page, words: string | RegExp): Promise<void> {
  await page.getByLabel("Nombre").fill("Ana");
  await page.getByLabel("Correo electrónico").fill("ana@correo.example");
  await page.getByLabel("Mensaje").fill("Quisiera una cita, por favor.");
  await page.getByRole("button", { name: "Enviar Mensaje" }).click();
  await seen(words)(page);
}

async function openChatMenu(page: Page): Promise<void> {
  await openChat(page);
  await page.locator(widget).getByRole("button", { name: "Opciones del chat" }).click();
  await expect(page.getByRole("menu")).toBeVisible();
}

const closed = (page: Page) =>
  expect(page.getByRole("button", { name: "Cerrar aviso" })).toBeVisible();

/** Opens a page in a state. */
export async function reach(page: Page, { path, answers, reach: go }: State): Promise<void> {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await answer(page, answers);
  await page.goto(path);
  await go(page);
}
