/** Nothing that is seen moves while a page of the staff arrives, in whatever order the answers come. */
import type { Page } from "@playwright/test";
import { type Answers, answer } from "./answers";
import { whole } from "./staffStates";
import { expect, test } from "./test";

const pages = [
  ["/dashboard", "Conversaciones Recientes"],
  ["/dashboard?vista=analiticas", "Eficiencia del Chatbot"],
  ["/dashboard?vista=contactos", "Persona 0"],
  ["/dashboard?vista=preguntas", "6 preguntas"],
  ["/dashboard/hoy", "Empezar aquí al iniciar sesión"],
  ["/dashboard/bandeja", "Persona 0"],
  ["/dashboard/agenda", "Ana Ruiz"],
  ["/dashboard/respuestas", "Cambiar"],
  ["/dashboard/respuestas/nueva", "Publicar"],
  ["/dashboard/cuenta", "Safari · iOS"],
  ["/dashboard/cuentas", "luis@clinica.example"],
  ["/dashboard/actividad", "luis@clinica.example"],
] as const;

const windows = [
  { width: 390, height: 844 },
  { width: 1280, height: 900 },
];

/** The session, the stream of news, and all but one of the parts that come in one answer. */
const unheld = ["user", "live", "ready", "heatmap", "quality", "ratings", "outcomes", "topics"];

/** Answers that wait until a test lets them go, one after the other. */
function held(answers: Answers): { readonly answers: Answers; readonly waiting: (() => void)[] } {
  const waiting: (() => void)[] = [];
  const hold = (name: string, reply: NonNullable<Answers["kpis"]>): typeof reply => {
    if (unheld.includes(name)) return reply;
    return async (route) => {
      await new Promise<void>((go) => waiting.push(go));
      await reply(route);
    };
  };
  return {
    waiting,
    answers: Object.fromEntries(
      Object.entries(answers).map(([name, reply]) => [name, hold(name, reply)]),
    ),
  };
}

/** Keeps what moves in the page, and from where to where. */
async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, sources } = entry as unknown as {
          value: number;
          sources: { node?: Element; previousRect: DOMRect; currentRect: DOMRect }[];
        };
        for (const { node, previousRect: from, currentRect: to } of sources)
          shifts.push(
            `${value.toFixed(4)}: ${from.x},${from.y} ${from.width}x${from.height} to ${to.x},${to.y} ${to.width}x${to.height}, ${(node?.outerHTML ?? node?.textContent)?.slice(0, 160)}`,
          );
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

const framePassed = (page: Page) =>
  page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );

for (const size of windows) {
  for (const [path, shown] of pages) {
    for (const order of ["first", "last"] as const) {
      test(`${path} stays in place, the ${order} asked answered first, ${size.width}`, async ({
        page,
      }) => {
        await page.setViewportSize(size);
        await watchShifts(page);
        const { answers, waiting } = held(whole);
        await answer(page, answers);
        await page.goto(path);
        const arrived = page.getByText(shown).filter({ visible: true }).first();
        await expect.poll(() => waiting.length).toBeGreaterThan(0);
        await framePassed(page);
        await expect(async () => {
          const next = order === "first" ? waiting.shift() : waiting.pop();
          next?.();
          await framePassed(page);
          expect(waiting).toHaveLength(0);
          await expect(arrived).toBeVisible({ timeout: 200 });
          await expect(page.locator("[aria-busy=true]")).toHaveCount(0, { timeout: 200 });
        }).toPass({ intervals: [50], timeout: 20_000 });
        await framePassed(page);
        expect(
          await page.evaluate(() => (window as unknown as { shifts: string[] }).shifts),
        ).toEqual([]);
      });
    }
  }
}
