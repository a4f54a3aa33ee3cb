import type { Page } from "@playwright/test";
import { answer, dashboard, failure, json, neverAnswers, site } from "./answers";
import { questionList, questions } from "./questionAnswers";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./test";

const address = "/dashboard?vista=preguntas";

test.beforeEach(async ({ page }) => {
  await answer(page, { ...site, ...dashboard });
});

function rows(page: Page) {
  return page.getByRole("tabpanel").getByRole("listitem");
}

test("shows what is to be answered better, and takes what is dismissed", async ({ page }) => {
  const sent: unknown[] = [];
  await answer(page, {
    dismissal: (route) => {
      sent.push(route.request().postDataJSON());
      return route.fulfill({ status: 204 });
    },
  });
  await page.goto("/dashboard");
  await page.getByRole("tab", { name: "Por mejorar" }).click();
  await expect(page).toHaveURL(/vista=preguntas/);
  await expect(page.getByRole("heading", { name: "Respuestas por mejorar" })).toBeVisible();
  await expect(rows(page)).toHaveCount(6);
  const first = rows(page).nth(0);
  await expect(first).toContainText("Sin respuesta (3)Mal valorada (3)Dudosa (3)3 veces");
  await expect(rows(page).nth(1)).toContainText("Mal valorada1 vez");
  await expect(rows(page).nth(2)).toContainText("Dudosa1 vez");
  await expect(page.getByText("6 preguntas", { exact: true })).toBeVisible();
  await expectNoSidewaysScroll(page);

  await first.getByRole("button", { name: "Descartar" }).click();
  await expect(first).toContainText("Descartada");
  await expect(first.getByRole("button", { name: "Descartar" })).toHaveCount(0);
  expect(sent).toEqual([{ conversationId: "c0", ordinal: 1 }]);
  await expectAccessible(page);
});

test("leads to the conversation, to teaching and to the answer that was given", async ({
  page,
}) => {
  await page.goto(address);
  const row = rows(page).nth(1);
  await row.getByRole("button", { name: /^«¿a cómo sale/ }).click();
  await expect(page).toHaveURL(/conversacion=c1/);
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(row.getByRole("link", { name: /^Cambiar la respuesta/ })).toHaveAttribute(
    "href",
    "/dashboard/respuestas/nueva?respuesta=limpieza-dolor",
  );
  await row.getByRole("link", { name: /^Enseñar respuesta/ }).click();
  await expect(page).toHaveURL(/respuestas\/nueva\?tema=clinica$/);
});

test("walks the conversations of the listed questions, each once", async ({ page }) => {
  const [first, second, third, ...others] = questions(5);
  if (!first || !second || !third) throw new Error("no questions");
  const again = { ...second, conversationId: first.conversationId };
  await answer(page, { questions: json(questionList([first, again, third, ...others])) });
  await page.goto(address);
  await rows(page).nth(0).getByRole("button", { name: /^«/ }).click();
  const dialog = page.getByRole("dialog", { name: "Conversación #c0" });
  await expect(dialog).toContainText("1 de 4");
  await dialog.getByRole("button", { name: "Conversación siguiente" }).click();
  await expect(page.getByRole("dialog")).toHaveAccessibleName("Conversación #c2");
});

test("asks for what the filters say", async ({ page }) => {
  await page.goto(address);
  await expect(rows(page)).toHaveCount(6);
  const reason = page.waitForRequest(/questions\?.*reason=negative.*state=open/);
  await page.getByRole("button", { name: "Mal valoradas" }).click();
  await reason;
  const settled = page.waitForRequest(/questions\?.*reason=negative.*state=settled/);
  await answer(page, {
    questions: json(questionList(questions(1).map((one) => ({ ...one, settled: "taught" })))),
  });
  await page.getByRole("combobox", { name: "Estado" }).selectOption("settled");
  await settled;
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText("Enseñada");
});

test("holds the places while loading, says when there is nothing, and can be asked again", async ({
  page,
}) => {
  await answer(page, { questions: neverAnswers });
  await page.goto(address);
  await expect(page.getByRole("status", { name: "Cargando las preguntas" })).toBeVisible();

  await answer(page, { questions: json(questionList([])) });
  await page.reload();
  await expect(page.getByText("No hay respuestas por mejorar")).toBeVisible();

  await answer(page, { questions: failure(503) });
  await page.reload();
  await expect(page.getByText("No se pudieron cargar las preguntas.")).toBeVisible();
  const first = questionList(questions(2), { next: "1-1-3-c1", total: 4 });
  await answer(page, { questions: json(first) });
  await page.getByRole("button", { name: "Reintentar" }).click();
  await expect(rows(page)).toHaveCount(2);
  await expect(page.getByText("2 de 4 preguntas")).toBeVisible();
  await answer(page, { questions: json(questionList(questions(4).slice(2), { total: 4 })) });
  await page.getByRole("button", { name: "Cargar más" }).click();
  await expect(rows(page)).toHaveCount(4);
});

test("says when a question was not dismissed", async ({ page }) => {
  await answer(page, { dismissal: failure(503, { message: "Vuelva a intentarlo." }) });
  await page.goto(address);
  const first = rows(page).nth(0);
  await first.getByRole("button", { name: "Descartar" }).click();
  await expect(first.getByRole("alert")).toContainText("Vuelva a intentarlo.");
  await expect(first.getByRole("alert")).toContainText("r-1");
  await expectAccessible(page, first);
});

test("puts questions of one meaning under the most frequent, each with its own acts", async ({
  page,
}) => {
  const [first, second, third, ...others] = questions(6);
  if (!first || !second || !third) throw new Error("no questions");
  const group = { answer: "financiamiento", questions: 3, count: 5 };
  const alike = [
    { ...first, text: "¿puedo pagar en cuotas?", group },
    { ...second, text: "¿se puede en letras?", group },
    { ...third, text: "¿y en partes?", group },
  ];
  await answer(page, {
    questions: json(questionList([...alike, ...others])),
    dismissal: (route) => route.fulfill({ status: 204 }),
  });
  await page.goto(address);
  const grouped = page.getByRole("listitem", { name: "«¿puedo pagar en cuotas?»" });
  await expect(grouped.getByRole("heading")).toHaveText(
    "«¿puedo pagar en cuotas?»3 preguntas parecidas, 5 veces en total",
  );
  await expect(grouped.getByRole("listitem")).toHaveCount(3);
  await expect(grouped.getByRole("link", { name: /^Enseñar respuesta/ })).toHaveCount(3);
  await expect(rows(page)).toHaveCount(7);
  const letters = grouped.getByRole("listitem").nth(1);
  await letters.getByRole("button", { name: "Descartar «¿se puede en letras?»" }).focus();
  await page.keyboard.press("Enter");
  await expect(letters).toContainText("Descartada");
  await expect(grouped.getByRole("button", { name: /^Descartar/ })).toHaveCount(2);
  await expectAccessible(page, grouped);
  await expectNoSidewaysScroll(page);
});
