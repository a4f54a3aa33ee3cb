import type { Page } from "@playwright/test";
import { answer, dashboard, failure, json, neverAnswers, site } from "./answers";
import { questions, toLabel } from "./labelAnswers";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./test";

const address = "/dashboard?vista=etiquetas";

test.beforeEach(async ({ page }) => {
  await answer(page, { ...site, ...dashboard });
});

function rows(page: Page) {
  return page.getByRole("tabpanel").getByRole("listitem");
}

/** Takes labels, and keeps what was sent. */
async function takesLabels(page: Page): Promise<unknown[]> {
  const sent: unknown[] = [];
  await answer(page, {
    labels: (route) => {
      const request = route.request();
      if (request.method() !== "POST") return route.fallback();
      sent.push(request.postDataJSON());
      return route.fulfill({ status: 204 });
    },
  });
  return sent;
}

test("shows what the assistant was not sure of, and takes what it means", async ({ page }) => {
  const sent = await takesLabels(page);
  await page.goto("/dashboard");
  await page.getByRole("tab", { name: "Por etiquetar" }).click();
  await expect(page).toHaveURL(/vista=etiquetas/);
  await expect(page.getByText("el asistente nunca aprende de ellas por sí solo")).toBeVisible();
  await expect(rows(page)).toHaveCount(6);
  const first = rows(page).nth(0);
  await expect(first).toContainText("3 veces");
  await expect(first).toContainText("Entendió: Un tratamiento (62%); después, Precios (20%)");
  await expect(rows(page).nth(1)).toContainText("No lo entendió; lo más parecido: Precios (31%)");
  await expect(rows(page).nth(2)).toContainText("con la respuesta «limpieza-dolor» (41%)");
  await expect(rows(page).nth(3)).toContainText("Sin respuesta");
  await expect(page.getByText("0 de 6 etiquetadas")).toBeVisible();
  await expect(page.getByRole("link", { name: "Descargar líneas" })).toHaveAttribute(
    "href",
    "/api/dashboard/labels/export",
  );
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  await first.getByRole("button", { name: "Precios" }).click();
  await expect(first).toContainText("Etiqueta: Precios");
  await expect(page.getByText("1 de 6 etiquetadas")).toBeVisible();
  await rows(page).nth(1).getByRole("button", { name: "Fuera de tema" }).click();
  await rows(page).nth(2).getByRole("button", { name: "Omitir" }).click();
  await expect(rows(page).nth(2)).toContainText("Omitida");
  const other = rows(page).nth(3);
  await other.getByRole("combobox").fill("nada de la lista");
  await other.getByRole("button", { name: "Etiquetar", exact: true }).click();
  await expect(other.getByRole("alert")).toHaveText("Elija un tema o una respuesta de la lista.");
  await other.getByRole("combobox").fill("Respuesta: ¿Hay wifi? (wifi)");
  await other.getByRole("button", { name: "Etiquetar", exact: true }).click();
  await expect(other).toContainText("Etiqueta: con la respuesta «wifi»");
  await expect(page.getByText("4 de 6 etiquetadas")).toBeVisible();

  await first.getByRole("button", { name: "Cambiar" }).click();
  await first.getByRole("button", { name: "Un tratamiento" }).click();
  await expect(first).toContainText("Etiqueta: Un tratamiento");
  await expect(page.getByText("4 de 6 etiquetadas")).toBeVisible();
  expect(sent).toEqual([
    { conversationId: "c0", ordinal: 1, label: { kind: "intent", name: "precio" } },
    { conversationId: "c1", ordinal: 3, label: { kind: "off-topic" } },
    { conversationId: "c2", ordinal: 5, label: { kind: "skipped" } },
    { conversationId: "c3", ordinal: 7, label: { kind: "answer", name: "wifi" } },
    { conversationId: "c0", ordinal: 1, label: { kind: "intent", name: "servicio" } },
  ]);
  await expectAccessible(page);
});

test("leads to the conversation, and asks for what the filters say", async ({ page }) => {
  await page.goto(address);
  await rows(page)
    .nth(0)
    .getByRole("button", { name: /¿a cómo sale/ })
    .click();
  await expect(page).toHaveURL(/conversacion=c0/);
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  const asked = page.waitForRequest(/labels\?.*state=labelled/);
  await page.getByRole("button", { name: "Etiquetadas", exact: true }).click();
  await asked;
  const bound = page.waitForRequest(/labels\?.*below=0\.45/);
  await page.getByRole("combobox", { name: "Confianza" }).selectOption("0.45");
  await bound;
});

test("holds the places while loading, says when there is nothing, and can be asked again", async ({
  page,
}) => {
  await answer(page, { labels: neverAnswers });
  await page.goto(address);
  await expect(page.getByRole("status", { name: "Cargando las preguntas" })).toBeVisible();
  await expectAccessible(page);

  await answer(page, { labels: json(toLabel([])) });
  await page.reload();
  await expect(page.getByText("No hay preguntas por etiquetar")).toBeVisible();
  await expectAccessible(page);

  await answer(page, { labels: failure(503) });
  await page.reload();
  await expect(page.getByText("No se pudieron cargar las preguntas.")).toBeVisible();
  await expectAccessible(page);
  await answer(page, { labels: json(toLabel(questions(2), { next: "1-c1-3", total: 4 })) });
  await page.getByRole("button", { name: "Reintentar" }).click();
  await expect(rows(page)).toHaveCount(2);
  await answer(page, { labels: json(toLabel(questions(4).slice(2), { total: 4 })) });
  await page.getByRole("button", { name: "Cargar más" }).click();
  await expect(rows(page)).toHaveCount(4);
});

test("says when a label was not kept", async ({ page }) => {
  await answer(page, {
    labels: (route) =>
      route.request().method() === "POST"
        ? failure(503, { message: "Vuelva a intentarlo." })(route)
        : route.fallback(),
  });
  await page.goto(address);
  const first = rows(page).nth(0);
  await first.getByRole("button", { name: "Precios" }).click();
  await expect(first.getByRole("alert")).toContainText("Vuelva a intentarlo.");
  await expect(first.getByRole("alert")).toContainText("r-1");
  await expect(page.getByText("0 de 6 etiquetadas")).toBeVisible();
  await expectAccessible(page);
});
