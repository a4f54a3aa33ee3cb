/** What the dashboard shows while the server is slow, fails in parts, or has nothing yet. */
import { outcomes } from "./agendaAnswers";
import {
  type Answers,
  answer,
  conversations,
  dashboard,
  failure,
  health,
  json,
  kpis,
  list,
  neverAnswers,
  user,
} from "./answers";
import { contacts } from "./contactAnswers";
import { funnel, heatmap, quality, ratings, timeseries, topics } from "./dashboardAnswers";
import { expect, expectAccessible, expectNoSidewaysScroll, listRow, test } from "./test";

const cards: readonly (readonly [card: string, call: keyof Answers, right: string])[] = [
  ["Embudo", "funnel", "21,400"],
  ["Calidad del asistente", "quality", "1.61 s"],
  ["Valoraciones", "ratings", "96"],
  ["Asistencia a las citas", "outcomes", "20.0%"],
  ["Cuándo escriben", "heatmap", "512"],
  ["De qué preguntan", "topics", "402"],
];

const every = (reply: NonNullable<Answers["kpis"]>, ...calls: (keyof Answers)[]): Answers =>
  Object.fromEntries(calls.map((call) => [call, reply]));
const reports = cards.map(([, call]) => call);
const rendered = { useInnerText: true };

test("each failure says so in its place, the rest is right, and one button asks again for all", async ({
  page,
}) => {
  await answer(page, {
    ...dashboard,
    ...every(failure(503), "timeseries", "conversations", ...reports),
  });
  await page.goto("/dashboard?vista=analiticas");
  const panel = page.getByRole("tabpanel", { name: "Analíticas" });
  for (const [name] of cards) {
    const card = panel.getByRole("region", { name, exact: true });
    const strip = card.getByRole("alert");
    await expect(strip).toHaveText("No se pudieron cargar estos datos.Referencia: r-1");
    await expect(card).not.toContainText(/(?<!r-)\d/, rendered);
  }
  await expect(page.getByRole("figure")).toContainText("No se pudo cargar la gráfica.");
  const why = "Hay datos que no se pudieron cargar.No disponible. Se piden de nuevo";
  const together = page.getByRole("alert").filter({ hasText: why });
  await expect(page.getByRole("alert")).toHaveCount(cards.length + 2);
  await expect(page.getByText("1,284", { exact: true }).first()).toBeVisible();
  const sessions = panel.locator("div", { has: page.getByText("Sesiones activas") }).last();
  await expect(sessions).toHaveText("Sesiones activas1,284");
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  await answer(page, { ...dashboard, conversations: failure(503) });
  await page.getByRole("button", { name: "Reintentar" }).click();
  for (const [name, , right] of cards) {
    await expect(panel.getByRole("region", { name, exact: true })).toContainText(right);
  }
  // The list, of which this tab shows the length.
  await expect(page.getByRole("alert")).toHaveCount(1);

  await page.getByRole("tab", { name: "Conversaciones" }).click();
  await expect(page.getByRole("tabpanel").getByRole("alert")).toHaveText(
    "No se pudieron cargar las conversaciones.Referencia: r-1",
  );
  await answer(page, dashboard);
  await together.getByRole("button", { name: "Reintentar" }).click();
  await expect(page.getByText("137 conversaciones", { exact: true })).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("without any numbers the zeros stand beside the error, and the server says why", async ({
  page,
}) => {
  const why = "El período tiene más de 400 días.";
  await answer(page, { ...dashboard, kpis: failure(400, { message: why }) });
  await page.goto("/dashboard?vista=analiticas");
  const numbers = page.getByRole("region", { name: "Indicadores del período" });
  await expect(numbers.getByText("0", { exact: true }).first()).toBeVisible();
  const words = "No se pudieron cargar los indicadores; se muestran en cero.Referencia: r-1";
  await expect(page.getByRole("alert").first()).toHaveText(
    `Hay datos que no se pudieron cargar.${why}Reintentar`,
  );
  await expect(page.getByRole("alert").nth(1)).toHaveText(words);
  await expect(page.getByRole("tabpanel").getByRole("alert")).toHaveText(words);
  await expect(page.getByRole("button", { name: "Reintentar" })).toHaveCount(1);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
});

test("a failed renewal leaves the last known numbers, dated", async ({ page }) => {
  await answer(page, dashboard);
  await page.goto("/dashboard?desde=2026-10-01&hasta=2026-10-31");
  const numbers = page.getByRole("region", { name: "Indicadores del período" });
  await expect(numbers.getByText("1,284", { exact: true })).toBeVisible();
  await answer(page, { ...every(failure(503), "kpis", "timeseries") });
  const dated =
    "Se muestra lo último que se conoce: 1 oct 2026 – 31 oct 2026, con datos hasta 20 nov 2026, 18:41.";
  for (const act of ["Actualizar", "90 días"]) {
    await page.getByRole("button", { name: act }).click();
    await expect(page.getByRole("alert").nth(1)).toContainText(dated);
    await expect(page.getByRole("figure").getByRole("alert")).toContainText(dated);
    await expect(numbers.getByText("1,284", { exact: true })).toBeVisible();
  }
  await page.getByRole("tab", { name: "Conversaciones" }).click();
  await page.getByRole("button", { name: "Con lead" }).click();
  await page.getByLabel("Aplicar también a indicadores y gráficas").check();
  await expect(numbers.getByText("0", { exact: true }).first()).toBeVisible();
  await expect(page.getByRole("alert").nth(1)).toContainText("se muestran en cero");
});

/** Each page with what is right on it once the server is well again, beyond the cards of the analytics. */
const healed: readonly (readonly [path: string, right: string])[] = [
  ["/dashboard?vista=analiticas", "1,284"],
  ["/dashboard", "137 conversaciones"],
  ["/dashboard?vista=contactos", "Mostrando 50 de 60"],
  ["/dashboard?vista=preguntas", "6 preguntas"],
  ["/dashboard/hoy", "3 personas por llamar"],
  ["/dashboard/bandeja", "Persona 0"],
  ["/dashboard/agenda", "Ana Ruiz"],
];

for (const [path, right] of healed) {
  test(`a server that was away is asked again by itself, and no zero stands alone meanwhile, ${path}`, async ({
    page,
  }) => {
    const failing = Object.fromEntries(
      Object.keys(dashboard).map((name) => [name, failure(503)]),
    ) as Answers;
    await answer(page, { ...dashboard, ...failing });
    // Looks at the page whenever it changes.
    await page.addInitScript(() => {
      const seen: string[] = [];
      Object.assign(window, { seen });
      new MutationObserver(() => {
        const zero = [...document.querySelectorAll("main dd")].some(
          (number) => number.textContent === "0",
        );
        if (zero && !document.querySelector("main [role=alert]"))
          seen.push(document.body.textContent ?? "");
      }).observe(document, { childList: true, characterData: true, subtree: true });
    });
    await page.goto(path);
    await expect(page).toHaveURL(/\/login$/);
    await answer(page, { user: json(user), ready: health("ok") });
    await expect(page).toHaveURL(path);
    await expect(page.getByRole("main").getByRole("alert").first()).toBeVisible();
    await answer(page, dashboard);
    await expect(page.getByRole("alert")).toHaveCount(0);
    const main = page.getByRole("main");
    await expect(main.getByText(right).filter({ visible: true }).first()).toBeVisible();
    if (path.endsWith("analiticas")) {
      for (const [name, , number] of cards) {
        await expect(page.getByRole("region", { name, exact: true })).toContainText(number);
      }
    }
    expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual([]);
  });
}

test("a clinic without conversations reads as one, and an empty period names the latest", async ({
  page,
}) => {
  const zeros = Object.fromEntries(
    Object.entries(kpis).map(([name, value]) => [name, typeof value === "number" ? 0 : value]),
  );
  const numbers = timeseries.points[0]?.numbers;
  const none = {
    ...Object.fromEntries(Object.keys(numbers ?? {}).map((name) => [name, 0])),
    conversionRate: null,
    avgMessagesPerConversation: null,
    avgConversationDuration: null,
  };
  const nothing = { count: 0, share: null, fromPrevious: null };
  await answer(page, {
    ...dashboard,
    kpis: json(zeros),
    conversations: list([]),
    contacts: list([]),
    timeseries: json({
      ...timeseries,
      comparison: undefined,
      points: timeseries.points.map((point) => ({ ...point, numbers: none, previous: undefined })),
    }),
    funnel: json({ ...funnel, steps: funnel.steps.map((step) => ({ ...step, ...nothing })) }),
    heatmap: json({
      ...heatmap,
      cells: heatmap.cells.map((cell) => ({
        ...cell,
        conversations: 0,
        leads: 0,
        appointments: 0,
      })),
      outOfHours: {
        conversations: 0,
        leads: 0,
        appointments: 0,
        conversationShare: null,
        leadShare: null,
        appointmentShare: null,
      },
    }),
    topics: json({ ...topics, topics: [] }),
    quality: json({
      ...quality,
      replies: 0,
      failures: 0,
      failedConversations: 0,
      failureRate: null,
      unanswered: 0,
      unansweredConversations: 0,
      unansweredRate: null,
      latency: { p50: null, p90: null, p99: null },
      tokensIn: 0,
      tokensOut: 0,
      models: [],
    }),
    ratings: json({
      ...ratings,
      all: { ...ratings.all, positive: 0, negative: 0, approval: null, pleased: 0, displeased: 0 },
      topics: [],
    }),
    outcomes: json({
      ...outcomes,
      all: { ...outcomes.all, came: 0, missed: 0, cancelledLate: 0, missedRate: null },
    }),
  });
  await page.goto("/dashboard");
  await expect(page.getByText("No hay conversaciones en el período seleccionado")).toBeVisible();
  await expect(page.getByText(/^Todavía no hay ninguna\./)).toBeVisible();
  await page.getByRole("tab", { name: "Analíticas" }).click();
  const panel = page.getByRole("tabpanel", { name: "Analíticas" });
  await expect(panel.getByText("Sin conversaciones en el período.").first()).toBeVisible();
  await expect(panel.getByText("Nadie ha valorado respuestas en este período.")).toBeVisible();
  await expect(panel.getByText(/^Todavía no se sabe en qué quedaron las citas/)).toBeVisible();
  await expect(page.locator("main")).not.toContainText(/NaN|undefined|null|Infinity|∞/, rendered);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  const [latest] = conversations(1);
  await answer(page, {
    conversations: (route) =>
      list(/limit=1(&|$)/.test(route.request().url()) ? [latest] : [])(route),
  });
  await page.goto("/dashboard?desde=2026-01-01&hasta=2026-01-31");
  await expect(page.getByText("Último dato: 20 nov 2026, 18:12")).toBeVisible();
  await expect(page.getByRole("button", { name: "Ver los últimos 90 días" })).toBeVisible();
});

test("what is slow holds its place and shows no number", async ({ page }) => {
  await answer(page, {
    ...dashboard,
    ...every(
      neverAnswers,
      "kpis",
      "timeseries",
      "conversations",
      "contacts",
      "contactCounts",
      ...reports,
    ),
  });
  await page.goto("/dashboard?vista=analiticas");
  await expect(page.getByTestId("kpi-placeholders").locator("> div")).toHaveCount(8);
  const panel = page.getByRole("tabpanel", { name: "Analíticas" });
  for (const [name] of cards) {
    const card = panel.getByRole("region", { name, exact: true });
    await expect(card).toHaveAttribute("aria-busy", "true");
    await expect(card.getByRole("status")).toHaveText(`Cargando ${name}`);
  }
  await expect(panel).not.toContainText(/\d/, rendered);
  await expect(page.locator("figure")).not.toContainText(/\d/, rendered);
  await expectAccessible(page);

  await page.getByRole("tab", { name: "Contactos" }).click();
  await expect(page.getByTestId("contact-placeholders").locator("> div")).toHaveCount(5);
  await expect(page.getByRole("tabpanel")).not.toContainText(/\d/, rendered);
});

test("a search among too many contacts says whom it left out", async ({ page }) => {
  await answer(page, {
    ...dashboard,
    contacts: (route) =>
      json(contacts(1), 200, {
        "X-Total-Count": "1",
        ...(route.request().url().includes("q=") && { "X-Searched-Count": "5000" }),
      })(route),
  });
  await page.goto("/dashboard?vista=contactos");
  await expect(page.getByText("Mostrando 1 de 1")).toBeVisible();
  const said = page.getByText("Se buscó solo entre los 5,000 contactos más recientes.");
  await expect(said).toHaveCount(0);
  await page.getByRole("searchbox").fill("ana");
  await expect(said).toBeVisible();
  await expectAccessible(page, page.locator("main"));
});

test("the reader who moves on ends the request, and comes back to the same row", async ({
  page,
}) => {
  let ended: (what: string) => void = () => {};
  const end = new Promise<string>((resolve) => {
    ended = resolve;
  });
  page.on("requestfailed", (request) => {
    if (request.url().includes("/reports")) ended(request.failure()?.errorText ?? "");
  });
  await answer(page, { ...dashboard, funnel: neverAnswers });
  await page.goto("/dashboard?vista=analiticas");
  await expect(page.getByRole("region", { name: "Embudo" })).toHaveAttribute("aria-busy", "true");
  await page.getByRole("tab", { name: "Conversaciones" }).click();
  expect(await end).toBe("net::ERR_ABORTED");

  const row = await listRow(page, 60);
  await row.getByRole("button", { name: "Ver detalles" }).click();
  await expect(page.getByRole("dialog")).toContainText("60 de 137");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(row).toBeInViewport();
});

test("what failed while there was no network is asked again when it is back", async ({
  page,
  context,
}) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  const gone: NonNullable<Answers["kpis"]> = (route) => route.abort("internetdisconnected");
  await answer(page, dashboard);
  await page.goto("/dashboard?vista=analiticas");
  await expect(page.getByText("1,284", { exact: true }).first()).toBeVisible();
  // What draws the chart comes after the numbers.
  await expect(page.locator(".recharts-line-curve").first()).toBeAttached();
  await context.setOffline(true);
  await answer(page, every(gone, "kpis", "timeseries", "conversations", ...reports));
  await page.keyboard.press("7");
  const numbers = page.getByRole("region", { name: "Indicadores del período" });
  // All together, the numbers here and there, the chart, and each card.
  await expect(page.getByRole("alert")).toHaveCount(cards.length + 4);
  await expect(numbers.getByText("1,284", { exact: true })).toBeVisible();
  await expectNoSidewaysScroll(page);

  await answer(page, dashboard);
  asked.length = 0;
  await context.setOffline(false);
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(numbers.getByText("1,284", { exact: true })).toBeVisible();
  const panel = page.getByRole("tabpanel", { name: "Analíticas" });
  for (const [name, , right] of cards) {
    await expect(panel.getByRole("region", { name, exact: true })).toContainText(right);
  }
  expect(asked.filter((call) => call.endsWith("/kpis"))).toHaveLength(1);
  // What had not failed stays as it was.
  expect(asked.filter((call) => call.endsWith("/contacts/counts"))).toEqual([]);
});

test("news that the server refuses are asked for every half minute, and heard again after one", async ({
  page,
}) => {
  await page.clock.install();
  let heard = 0;
  let asked = 0;
  await answer(page, {
    ...dashboard,
    kpis: async (route) => {
      asked += 1;
      await json(kpis)(route);
    },
    live: async (route) => {
      heard += 1;
      await (heard === 1 ? failure(503) : neverAnswers)(route);
    },
  });
  await page.goto("/dashboard");
  await expect(page.getByTitle("Se actualiza cada medio minuto.")).toBeVisible();
  await expect.poll(() => asked).toBeGreaterThan(0);
  const opened = asked;
  await page.clock.runFor(30_000);
  await expect.poll(() => asked).toBeGreaterThan(opened);
  await page.clock.runFor(31_000);
  await expect.poll(() => heard).toBeGreaterThan(1);
});

test("what failed while the server was away is asked again when it is back", async ({ page }) => {
  let live: (() => void) | undefined;
  const back = new Promise<void>((open) => {
    live = open;
  });
  let tries = 0;
  await answer(page, {
    ...dashboard,
    kpis: failure(503),
    live: async (route) => {
      tries += 1;
      if (tries === 1) return route.abort("connectionrefused");
      await back;
      await route.fulfill({ contentType: "text/event-stream", body: "retry: 60000\n\n" });
    },
  });
  await page.goto("/dashboard");
  await expect(page.getByRole("alert").nth(1)).toContainText("Referencia: r-1");
  await expect.poll(() => tries, { timeout: 20_000 }).toBe(2);
  await answer(page, { kpis: json(kpis) });
  live?.();
  await expect(page.getByText("1,284", { exact: true }).first()).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
});
