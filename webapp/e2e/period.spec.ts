import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { answer, conversations, dashboard, json, kpis, list, messages, setClinic } from "./answers";
import { timeseries } from "./dashboardAnswers";
import { expect, expectAccessible, test } from "./test";

/** The periods for which numbers and lists were asked, in order. */
async function watch(page: Page): Promise<{ kpis: string[]; conversations: string[] }> {
  const asked = { kpis: [] as string[], conversations: [] as string[] };
  const period = (address: string) => {
    const { searchParams } = new URL(address);
    return `${searchParams.get("startDate")} ${searchParams.get("endDate")}`;
  };
  await answer(page, {
    ...dashboard,
    kpis: async (route) => {
      asked.kpis.push(period(route.request().url()));
      await json(kpis)(route);
    },
    conversations: async (route) => {
      asked.conversations.push(period(route.request().url()));
      await list(conversations(3))(route);
    },
  });
  return asked;
}

const picker = (page: Page) => page.getByRole("dialog", { name: "Elegir período" });
const trigger = (page: Page) => page.getByRole("button", { name: /^Período:/ });
const day = (page: Page, name: string) =>
  picker(page).getByRole("button", { name: new RegExp(`(^|\\D)${name}`) });

const now = new Date("2026-11-21T03:30:00.250Z"); // 20 November, 22:30 in Panama
const recent = "2026-10-22T03:30:00.250Z 2026-11-21T03:30:00.250Z";

test.beforeEach(async ({ page }) => {
  await page.clock.setFixedTime(now);
});

test("is the last 30 days up to now, in days of the clinic", async ({ page }) => {
  const asked = await watch(page);
  await page.goto("/dashboard");
  await expect(trigger(page)).toHaveText("21 oct 2026 – 20 nov 2026");
  await expect(page.getByText("Datos hasta 20 nov 2026, 18:41")).toBeVisible();
  await expect(page.getByText("20 nov 2026, 18:12")).toBeVisible();
  expect(asked).toEqual({ kpis: [recent], conversations: [recent] });
});

test("changes only once both ends are chosen, and takes the last day whole", async ({ page }) => {
  const asked = await watch(page);
  await page.goto("/dashboard");
  await trigger(page).click();
  await expect(picker(page).getByRole("grid")).toHaveCount(2);
  await expect(picker(page).locator("th").first()).toHaveText(/^lu/i);
  await expectAccessible(page, page.locator("header"));

  await day(page, "5 de octubre de 2026").click();
  await expect(picker(page).getByText("Elija el último día")).toBeVisible();
  expect(asked.kpis).toEqual([recent]);
  // A picker that takes the whole window keeps what lies behind it out of reach.
  await expect(
    page.getByRole("button", { name: /^Período:/, includeHidden: true }).first(),
  ).toHaveText("21 oct 2026 – 20 nov 2026");

  await day(page, "14 de noviembre de 2026").click();
  await expect(picker(page)).toBeHidden();
  await expect(trigger(page)).toHaveText("5 oct 2026 – 14 nov 2026");
  await expect(trigger(page)).toBeFocused();
  await expect(page).toHaveURL(/\?desde=2026-10-05&hasta=2026-11-14$/);
  const chosen = "2026-10-05T05:00:00.000Z 2026-11-15T04:59:59.999Z";
  await expect(() => {
    expect(asked).toEqual({ kpis: [recent, chosen], conversations: [recent, chosen] });
  }).toPass();
});

test("takes the ends in either order, and a single day", async ({ page }) => {
  const asked = await watch(page);
  await page.goto("/dashboard");
  await trigger(page).click();
  await day(page, "12 de noviembre de 2026").click();
  await day(page, "10 de noviembre de 2026").click();
  await expect(trigger(page)).toHaveText("10 nov 2026 – 12 nov 2026");
  await trigger(page).click();
  await day(page, "20 de noviembre de 2026").click();
  await day(page, "20 de noviembre de 2026").click();
  await expect(trigger(page)).toHaveText("20 nov 2026");
  await expect(() =>
    expect(asked.kpis.at(-1)).toBe("2026-11-20T05:00:00.000Z 2026-11-21T04:59:59.999Z"),
  ).toPass();
});

test("offers no day after the clinic's today", async ({ page }) => {
  await watch(page);
  await page.goto("/dashboard");
  await trigger(page).click();
  await expect(day(page, "20 de noviembre de 2026")).toBeEnabled();
  await expect(day(page, "21 de noviembre de 2026")).toBeDisabled();
});

test("forgets a half choice", async ({ page }) => {
  const asked = await watch(page);
  await page.goto("/dashboard");
  await trigger(page).click();
  await day(page, "12 de noviembre de 2026").click();
  await page.keyboard.press("Escape");
  await expect(picker(page)).toBeHidden();
  await expect(trigger(page)).toBeFocused();
  await trigger(page).click();
  await day(page, "13 de noviembre de 2026").click();
  await expect(picker(page)).toBeVisible();
  await picker(page).getByRole("button", { name: "Cancelar" }).click();
  await expect(trigger(page)).toHaveText("21 oct 2026 – 20 nov 2026");
  expect(asked.kpis).toEqual([recent]);
});

test("lives in the address, and leads back to the default", async ({ page }) => {
  const asked = await watch(page);
  await page.goto("/dashboard?desde=2020-07-01&hasta=2020-08-31");
  await expect(trigger(page)).toHaveText("1 jul 2020 – 31 ago 2020");
  await expect(() =>
    expect(asked.kpis).toEqual(["2020-07-01T05:00:00.000Z 2020-09-01T04:59:59.999Z"]),
  ).toPass();
  await trigger(page).click();
  await expect(day(page, "31 de agosto de 2020")).toBeVisible();
  await picker(page).getByRole("button", { name: "Últimos 30 días" }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(() => expect(asked.kpis.at(-1)).toBe(recent)).toPass();
  await page.goBack();
  await expect(trigger(page)).toHaveText("1 jul 2020 – 31 ago 2020");
});

test("can be chosen with the keyboard", async ({ page }) => {
  await watch(page);
  await page.goto("/dashboard");
  await trigger(page).focus();
  await page.keyboard.press("Enter");
  await expect(day(page, "21 de octubre de 2026")).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(trigger(page)).toHaveText("21 oct 2026 – 28 oct 2026");
});

/** Days of other clinics on which clocks are moved there, with their first and last instants. */
const elsewhere = [
  ["Europe/Madrid", "2026-03-29", "2026-03-28T23:00:00.000Z 2026-03-29T21:59:59.999Z", "04:30"],
  ["Europe/Madrid", "2025-10-26", "2025-10-25T22:00:00.000Z 2025-10-26T22:59:59.999Z", "02:30"],
  ["America/New_York", "2026-03-08", "2026-03-08T05:00:00.000Z 2026-03-09T03:59:59.999Z", "04:30"],
  ["Pacific/Auckland", "2026-04-05", "2026-04-04T11:00:00.000Z 2026-04-05T11:59:59.999Z", "02:30"],
] as const;

/** How far a zone's clock runs ahead of UTC around some hours, as the server says it. */
function offsetsAround(zone: string, ...hours: readonly number[]): number[][] {
  const shown = new Intl.DateTimeFormat("sv", {
    timeZone: zone,
    dateStyle: "short",
    timeStyle: "medium",
  });
  return hours.map((at) => [at, Date.parse(`${shown.format(at).replace(" ", "T")}Z`) - at]);
}

for (const [zone, isoDay, period, halfPast] of elsewhere) {
  test(`a clinic in ${zone} has its own ${isoDay}`, async ({ page }) => {
    const [start = "", end = ""] = period.split(" ");
    const later = (hours: number) => new Date(Date.parse(start) + hours * 3_600_000).toISOString();
    const hours = Array.from({ length: 72 }, (_, hour) => Date.parse(later(hour - 24)));
    setClinic(page, { zone, offsets: offsetsAround(zone, ...hours, now.getTime()) });
    const asked = await watch(page);
    // Three and a half hours after midnight, which the clock does not show that night.
    const startedAt = later(3.5);
    const [conversation] = conversations(1);
    const [message] = messages;
    const [point] = timeseries.points;
    await answer(page, {
      conversations: list([{ ...conversation, startedAt }]),
      messages: json([{ ...message, timestamp: startedAt }]),
      timeseries: json({
        ...timeseries,
        zone,
        interval: "hour",
        points: [{ ...point, startDate: later(3), endDate: later(4) }],
      }),
    });
    await page.goto(`/dashboard?desde=${isoDay}&hasta=${isoDay}`);
    const shown = new Intl.DateTimeFormat("es", { dateStyle: "medium", timeZone: "UTC" });
    const words = shown.format(new Date(isoDay));
    await expect(trigger(page)).toHaveText(words);
    await expect(() => expect(asked.kpis).toEqual([`${start} ${end}`])).toPass();

    const row = page.getByRole("tabpanel").getByRole("listitem").first();
    await expect(row.locator("time")).toHaveText(`${words}, ${halfPast}`);
    await row.getByRole("button", { name: "Ver detalles" }).click();
    await expect(page.getByRole("dialog").locator("li time")).toHaveText(halfPast);
    await page.keyboard.press("Escape");

    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Descargar CSV" }).click(),
    ]);
    const hour = halfPast.slice(0, 2);
    expect(readFileSync(await file.path(), "utf8")).toContain(`${isoDay} ${hour}:00,`);

    await page
      .getByRole("button", { name: /¿Cómo se calcula\?/ })
      .first()
      .click();
    await expect(page.getByRole("dialog", { name: "Conversaciones Totales" })).toContainText(zone);
    await page.keyboard.press("Escape");

    // The clock of the test stands at 03:30 in UTC: today is another day than here.
    await page.keyboard.press("h");
    const today = new Intl.DateTimeFormat("sv", { timeZone: zone }).format(now);
    await expect(page).toHaveURL(new RegExp(`desde=${today}&hasta=${today}$`));
  });
}
