/** How often the dashboard asks the server. */
import type { Page } from "@playwright/test";
import { answer, dashboard, site } from "./answers";
import { expect, test } from "./test";

/** The calls of a page, in the order in which they are made. */
function callsOf(page: Page): string[] {
  const calls: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/api/")) calls.push(pathname.replace("/api/dashboard/", ""));
  });
  return calls;
}

const numbers = ["contacts/counts", "kpis", "timeseries"];
/** Asked once, whatever the period is. */
const always = ["/api/auth/user", "answers", "live", "unusual", "waiting"];

/** Each tab: what it asks beyond the numbers when it is opened, and shows once it is there. */
const tabs: readonly (readonly [name: RegExp, calls: readonly string[], shown: RegExp])[] = [
  [/^Conversaciones/, ["conversations", "topics"], /^137 conversaciones$/],
  [/^Analíticas/, ["conversations", "reports"], /^Valoraciones$/],
  [/^Contactos/, ["contacts"], /^Mostrando 50 de 60$/],
  [/^Por mejorar/, ["questions"], /^6 preguntas$/],
];

test("a tab asks once when it is opened, and once for another period", async ({ page }) => {
  await page.clock.setFixedTime(new Date("2026-11-20T15:00:00Z"));
  await answer(page, { ...site, ...dashboard });
  const calls = callsOf(page);
  const settled = async (shown: RegExp) => {
    await expect(page.getByRole("tabpanel").getByText(shown).first()).toBeVisible();
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
    return calls.splice(0).sort();
  };
  await page.goto("/dashboard");
  const [[, first, list]] = tabs as [(typeof tabs)[0]];
  expect(await settled(list)).toEqual([...always, ...numbers, ...first].sort());
  const known = new Set(first);
  for (const [name, own, shown] of tabs) {
    await page.getByRole("tab", { name }).click();
    expect(await settled(shown), `${name} opens`).toEqual(own.filter((call) => !known.has(call)));
    for (const call of own) known.add(call);
  }
  // A period of its own for each, so that none of its answers is known.
  for (const [index, [name, own, shown]] of tabs.entries()) {
    await page.goto(`/dashboard?desde=2026-0${index + 1}-01&hasta=2026-0${index + 1}-09`);
    await page.getByRole("tab", { name }).click();
    await settled(shown);
    await page.getByRole("button", { name: "90 días" }).click();
    await expect(page).toHaveURL(/desde=2026-08/);
    const asked = await settled(shown);
    expect(asked, `${name}, another period`).toEqual([...numbers, ...own].sort());
  }
});

test("Hoy asks four calls, each once", async ({ page }) => {
  await answer(page, { ...site, ...dashboard });
  const calls = callsOf(page);
  await page.goto("/dashboard/hoy");
  await expect(page.getByRole("button", { name: "Empezar aquí al iniciar sesión" })).toBeVisible();
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  // Beside them stands the stream of news, which stays open.
  expect(calls.filter((call) => call !== "live").sort()).toEqual(
    ["/api/auth/user", "agenda", "unusual", "waiting"].sort(),
  );
});
