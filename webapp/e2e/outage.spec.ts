/**
 * The staff's pages while a real server is away for ten seconds: every call is answered 503 on the way
 * to it. The page's clock stands still but for `runFor`, so that no test waits.
 */
import type { Page, Request } from "@playwright/test";
import { expect, ownerEmail, signIn, test } from "./test";

const period = "desde=2026-05-01&hasta=2026-06-30";

/** The staff's pages, over days of which the server has conversations. */
const pages = [
  `/dashboard?${period}`,
  `/dashboard?${period}&vista=analiticas`,
  `/dashboard?${period}&vista=contactos`,
  `/dashboard?${period}&vista=preguntas`,
  "/dashboard/hoy",
  "/dashboard/bandeja",
  "/dashboard/agenda",
  "/dashboard/respuestas",
  "/dashboard/respuestas/nueva",
  "/dashboard/cuenta",
  "/dashboard/cuentas",
  "/dashboard/actividad",
];

const session = "/api/auth/user";

/** What lies between the page and the server, and can answer for it. */
async function watchCalls(page: Page) {
  const state = {
    away: false,
    afterSession: false,
    open: new Set<Request>(),
    refused: [] as string[],
  };
  page.on("request", (request) => {
    state.open.add(request);
  });
  const end = (request: Request) => {
    state.open.delete(request);
  };
  page.on("requestfinished", end);
  page.on("requestfailed", end);
  await page.route(/\/(api|readyz)(\/|$|\?)/, async (route) => {
    const { pathname } = new URL(route.request().url());
    if (!state.away || (state.afterSession && pathname === session)) {
      // Without the stream of news, what the page asks is its own doing.
      return pathname.endsWith("/live") ? route.abort("connectionrefused") : await route.continue();
    }
    state.refused.push(pathname);
    await route.fulfill({
      status: 503,
      headers: { "Retry-After": "5" },
      json: { message: "No disponible.", requestId: "r-1" },
    });
  });
  return state;
}

/** Remembers each moment at which a number is zero and nothing says why. */
async function watchZeros(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    new MutationObserver(() => {
      const numbers = [...document.querySelectorAll("main dd")];
      const lone = numbers.filter(({ textContent }) => /^0( segundos|%)?$/.test(textContent ?? ""));
      if (lone.length > 0 && !document.querySelector("main [role=alert]"))
        seen.push(lone.map((number) => number.parentElement?.textContent).join("; "));
    }).observe(document, { childList: true, characterData: true, subtree: true });
  });
}

/** The numbers of a page, and how many rows it has. */
const reading = (page: Page) =>
  page.evaluate(() => ({
    numbers: [...document.querySelectorAll("main dd")].map((number) => number.textContent),
    rows: document.querySelectorAll("main li, main tbody tr").length,
    alerts: [...document.querySelectorAll("[role=alert]")].map((alert) => alert.textContent),
  }));

for (const [path, afterSession] of pages.flatMap((path) => [
  [path, false] as const,
  [path, true] as const,
])) {
  const since = afterSession ? "since it knew who reads" : "since it opened";
  test(`${path} is right within 15 s after 10 s without its server, ${since}`, async ({ page }) => {
    await signIn(page, ownerEmail);
    const calls = await watchCalls(page);
    await page.clock.install();
    await page.goto(path);
    const shown = page.getByRole("main");
    await expect(shown.locator("h2, h3").first()).toBeVisible();
    const answered = () => expect.poll(() => calls.open.size).toBe(0);
    for (let passed = 0; passed < 5; passed += 1) {
      await answered();
      await page.clock.runFor(500);
    }
    await expect(shown.locator("[aria-busy=true]")).toHaveCount(0);
    const before = await reading(page);
    expect(before.alerts).toEqual([]);

    await watchZeros(page);
    Object.assign(calls, { away: true, afterSession });
    await page.reload();
    const pass = async (seconds: number, over: () => Promise<boolean>) => {
      for (let passed = 0; passed < seconds; passed += 0.5) {
        if (await over()) return true;
        await page.clock.runFor(500);
        await answered();
      }
      return over();
    };
    await pass(10, async () => false);
    expect(calls.refused.length).toBeGreaterThan(0);
    if (afterSession) await expect(page.getByRole("alert").first()).toBeVisible();
    expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual([]);

    calls.away = false;
    const isHealed = ({ numbers, rows, alerts }: typeof before) =>
      JSON.stringify(numbers) === JSON.stringify(before.numbers) &&
      // Of sessions there may be more: the other tests sign in as well.
      rows >= before.rows &&
      alerts.length === 0;
    const healed = await pass(15, async () => isHealed(await reading(page)));
    expect(healed, JSON.stringify([before, await reading(page)])).toBe(true);
    expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual([]);
  });
}
