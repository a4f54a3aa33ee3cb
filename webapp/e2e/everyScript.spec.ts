/** The staff's pages while one of their scripts does not come, or is cut off. */
import { readFileSync } from "node:fs";
import type { Browser, Page } from "@playwright/test";
import { answer } from "./answers";
import { whole } from "./staffStates";
import { expect, test } from "./test";

type Reach = (page: Page) => Promise<void>;

const text = (words: string): Reach => {
  return (page) => expect(page.getByText(words).filter({ visible: true }).first()).toBeVisible();
};

/** Pages that together need every script, and their last part to arrive. */
const openings: readonly (readonly [path: string, reach: Reach])[] = [
  [
    "/dashboard?vista=contactos",
    async (page) => {
      await expect(page.locator(".recharts-line-curve").first()).toBeAttached();
      await expect(page.getByText(/^Mostrando 7 de 7/)).toBeVisible();
    },
  ],
  ["/dashboard?vista=preguntas", text("6 preguntas")],
  [
    "/dashboard?vista=analiticas",
    (page) => expect(page.getByRole("region", { name: "Embudo" })).toContainText("21,400"),
  ],
  [
    "/dashboard",
    async (page) => {
      await page.getByRole("button", { name: /^Período:/ }).click();
      await expect(page.getByRole("grid").first()).toBeVisible();
    },
  ],
  [
    "/dashboard",
    async (page) => {
      await page.getByRole("button", { name: "Notas", exact: true }).click();
      await expect(page.getByRole("dialog").getByRole("textbox").first()).toBeVisible();
    },
  ],
  ["/dashboard/hoy", text("La verdad ya no quiero vivir")],
  [
    "/dashboard/bandeja?persona=lead/w0",
    (page) => expect(page.getByTestId("history")).toBeVisible(),
  ],
  ["/dashboard/cuenta", text("Safari · iOS")],
  ["/dashboard/cuentas", text("luis@clinica.example")],
  ["/dashboard/actividad", text("luis@clinica.example")],
  ["/dashboard/respuestas", text("Cambiar")],
  ["/dashboard/respuestas/nueva", text("Publicar")],
  ["/dashboard/agenda", text("Ana Ruiz")],
];

/** The scripts of the dashboard, those included that it asks for later. */
function scriptsOfDashboard(): Set<string> {
  const manifest = JSON.parse(
    readFileSync(new URL("../dist/.vite/manifest.json", import.meta.url), "utf8"),
  ) as Record<string, { file: string; imports?: string[]; dynamicImports?: string[] }>;
  const found = new Set<string>();
  const add = (name: string) => {
    const part = manifest[name];
    if (!part || found.has(`/${part.file}`)) return;
    found.add(`/${part.file}`);
    part.imports?.forEach(add);
    // The program itself leads to every page of the site.
    if (name.startsWith("src/")) part.dynamicImports?.forEach(add);
  };
  add("src/app/StaffDashboard.tsx");
  return found;
}

const scriptOf = (url: string) => /\/assets\/[^?]*\.js/.exec(url)?.[0];

/** A page of its own: what it writes about a script that is missing is no mistake. */
async function open(browser: Browser): Promise<Page> {
  const page = await browser.newPage();
  await answer(page, whole);
  return page;
}

/** The scripts that a page needs beyond those that are `known`. */
async function scriptsOf(browser: Browser, path: string, reach: Reach, known: Set<string>) {
  const page = await open(browser);
  const found = new Set<string>();
  page.on("request", (request) => {
    const script = scriptOf(request.url());
    if (script && !known.has(script)) found.add(script);
  });
  await page.goto(path);
  await reach(page);
  await page.close();
  return found;
}

/** How scripts are missing, in turns: a page meets both in the same way, and has dozens of scripts. */
const faults: readonly ((script: string) => { status: number; body: string })[] = [
  () => ({ status: 404, body: "" }),
  (script) => ({ status: 200, body: script.slice(0, script.length / 2) }),
];

test("a script that is not there, or cut off, leaves the page in words, and a touch makes it whole", async ({
  browser,
}) => {
  // More than a hundred pages.
  test.setTimeout(1_800_000);
  const known = new Set<string>();
  for (const [path, reach] of openings) {
    for (const script of await scriptsOf(browser, path, reach, known)) {
      known.add(script);
      await test.step(`${path} without ${script}`, async () => {
        const page = await open(browser);
        const spoil = faults[known.size % faults.length] as (typeof faults)[number];
        await page.route(`**${script}`, async (route) => {
          const response = await route.fetch();
          await route.fulfill({ response, ...spoil(await response.text()) });
        });
        await page.goto(path);
        const main = page.getByRole("main");
        const retry = page.getByRole("button", { name: "Reintentar" });
        const late = page.getByRole("link", { name: "Reintentar" });
        const failed = retry.or(late).first();
        // A page may be whole without it: the toasts come later.
        const arrived = await Promise.race([
          reach(page).then(
            () => true,
            () => false,
          ),
          failed.waitFor().then(() => false),
        ]);
        await expect(main).toHaveText(/\S/);
        await page.unroute(`**${script}`);
        const loaded = page.waitForEvent("domcontentloaded");
        await (arrived ? page.reload() : failed.click());
        await loaded;
        await reach(page);
        await page.close();
      });
    }
  }
  expect([...scriptsOfDashboard()].filter((script) => !known.has(script))).toEqual([]);
});
