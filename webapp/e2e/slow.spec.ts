/** The public pages on a network that is slow or fails. */
import type { Page } from "@playwright/test";
import { type Answers, answer, failure, json, neverAnswers, service, site } from "./answers";
import { expect, test } from "./test";

const quiet = { ...site, status: json({ limitReached: true }) };

const lists: readonly (readonly [path: string, call: keyof Answers, shown: string])[] = [
  ["/", "featured", "Implantes dentales"],
  ["/", "testimonials", "Comentario 1."],
  ["/", "posts", "Extracto 1: lo que conviene saber antes de la cita."],
  ["/services", "services", "Implantes dentales"],
  ["/services/endodoncia", "service", "Endodoncia"],
  ["/blog", "posts", "Extracto 1: lo que conviene saber antes de la cita."],
];

/** Some of a page is asked for only once it is near the view. */
async function lookAtAll(page: Page): Promise<void> {
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { level: 1 })).toBeAttached();
  for (const section of await main.locator("section").all()) await section.scrollIntoViewIfNeeded();
}

for (const [path, call, shown] of lists) {
  test(`${path} holds the place of ${call}, and asks again for what failed`, async ({ page }) => {
    await answer(page, { ...quiet, [call]: neverAnswers });
    await page.goto(path);
    const main = page.getByRole("main");
    await expect(main.getByRole("status").first()).toBeAttached();
    await answer(page, { [call]: failure(503) });
    await page.reload();
    await lookAtAll(page);
    const alert = main.getByRole("alert");
    await expect(alert).toBeVisible();
    await answer(page, { [call]: quiet[call as keyof typeof quiet] });
    await alert.getByRole("button", { name: "Reintentar" }).click();
    await expect(main.getByText(shown).first()).toBeVisible();
    await expect(alert).toHaveCount(0);
  });
}

test("a picture that does not come keeps its place", async ({ page }) => {
  const heights = async () => {
    await page.goto("/services");
    const cards = page.getByRole("main").locator("li");
    await expect(cards).toHaveCount(1);
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await expect(cards.locator("img").first()).toHaveJSProperty("complete", true);
    return cards.evaluateAll((all) => all.map((card) => card.getBoundingClientRect().height));
  };
  const one = service("Carillas", "carillas");
  await answer(page, { ...quiet, services: json([one]) });
  const before = await heights();
  await page.route(/\/img\/(?!placeholder)/, (route) => route.abort());
  await answer(page, { services: json([{ ...one, imageUrl: "/img/none.webp" }]) });
  expect(await heights()).toEqual(before);
  await page.route("**/img/**", (route) => route.abort());
  expect(await heights()).toEqual(before);
});
