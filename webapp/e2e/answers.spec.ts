import { answer, dashboard, failure, json, neverAnswers, reader, site } from "./answers";
import { questionList, questions } from "./questionAnswers";
import { form, type TaughtAnswer, taught, undone, version } from "./taughtAnswers";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./test";

const list = (...answers: readonly TaughtAnswer[]) =>
  json({ answers, dataThrough: { position: 9 } });

const asking = (some: object) =>
  json(questionList(questions(1).map((one) => ({ ...one, ...some }))));

const effects = (question: string, times: number) => ({
  questions: 1,
  times,
  examples: [
    { question, now: "No tengo ese dato.", taught: "Sí, en cada piso.", times, inContext: true },
  ],
});
const stream = (...events: readonly (readonly [string, object])[]) => ({
  contentType: "text/event-stream",
  body: events.map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`).join(""),
});

/** What is told of a trial on its way, and at its end. */
const trial = stream(
  ["progress", { conversations: 10, of: 20, questions: 8 }],
  [
    "done",
    {
      conversations: 20,
      of: 20,
      questions: 15,
      capped: false,
      answered: effects("¿hay agua?", 3),
      changed: effects("¿hay algo de beber?", 1),
    },
  ],
);

test.beforeEach(async ({ page }) => {
  await answer(page, {
    ...site,
    ...dashboard,
    answers: list(taught, {
      ...taught,
      slug: "otra",
      version: 0,
      versions: [{ ...version, undone }],
    }),
    answerForm: json(form),
  });
});

test("lists what was taught with what became of it", async ({ page }) => {
  await page.goto("/dashboard");
  await page.getByRole("link", { name: "Respuestas" }).click();
  const rows = page.getByRole("main").getByRole("list").first().locator("> li");
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText("Publicada, versión 2");
  await expect(rows.first()).toContainText("Usada 12 veces desde el 19 nov 2026");
  await expect(rows.first()).toContainText("8.0% (8 de 100)");
  await expect(rows.last()).toContainText("Deshecha");
  await expect(rows.last().getByRole("button")).toHaveCount(0);
  await rows.last().getByText("1 versión").click();
  await expect(rows.last()).toContainText("luis@clinica.example, 20 nov 2026, 10:00: No es así.");
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoSidewaysScroll(page);
});

test("waits, fails and has nothing", async ({ page }) => {
  await answer(page, { answers: neverAnswers });
  await page.goto("/dashboard/respuestas");
  await expect(page.getByRole("status", { name: "Cargando las respuestas" })).toBeVisible();
  await answer(page, { answers: failure(503) });
  await page.reload();
  await expect(page.getByRole("alert")).toContainText("No se pudieron cargar las respuestas.");
  await answer(page, { answers: list() });
  await page.getByRole("button", { name: "Reintentar" }).click();
  await expect(page.getByText("Todavía no se ha enseñado ninguna respuesta.")).toBeVisible();
  await expectAccessible(page);
});

test("a question becomes an answer, shown as it reads and as it changes", async ({ page }) => {
  const sent: object[] = [];
  await answer(page, {
    questions: asking({ text: "soy [nombre] ¿hay agua?" }),
    preview: neverAnswers,
    answers: (route) => {
      if (route.request().method() !== "POST") return route.fallback();
      sent.push(route.request().postDataJSON());
      const fields = { text: "«8:00» está escrito tal cual.", reason: "Falta." };
      return route.fulfill(
        sent.length === 1
          ? { status: 400, json: { message: "Revise los campos.", requestId: "R1", fields } }
          : { json: version },
      );
    },
  });
  await page.goto("/dashboard?vista=preguntas");
  await page.getByRole("link", { name: /^Enseñar respuesta/ }).click();
  await expect(page).toHaveURL(/respuestas\/nueva\?tema=clinica$/);
  await expect(page.getByRole("textbox", { name: "Preguntas" })).toHaveValue("soy ¿hay agua?");
  await expect(page.getByLabel("Tema")).toHaveValue("clinica");
  await page.getByLabel("Título").fill("¡Agua en Panamá!");
  await expect(page.getByText("Se guarda como «agua-en-panama».")).toBeVisible();
  await page.getByLabel("Respuesta", { exact: true }).fill("Abrimos ");
  await page.getByText("Datos de la clínica").click();
  await page.getByRole("button", { name: /^Poner \{\{hours\}\}/ }).click();
  await expect(page.locator("output")).toHaveText("Abrimos lunes a viernes de 8:00 a 19:00");
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  const start = page.getByRole("button", { name: "Probar con las preguntas" });
  const publish = page.getByRole("button", { name: "Publicar" });
  await expect(publish).toBeDisabled();
  await expect(publish).toHaveAccessibleDescription(/^Pruebe la respuesta/);
  await page.getByLabel("Motivo").press("Enter");
  await start.click();
  await expect(page.getByText("Buscando las conversaciones…")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Detener" }).click();
  await answer(page, { preview: failure(503) });
  await start.click();
  await expect(page.getByRole("alert")).toBeVisible();
  await answer(page, { preview: (route) => route.fulfill(trial) });
  await start.click();
  const preview = page.getByRole("region", { name: "Qué cambiaría" });
  await expect(preview).toContainText("Ahora tendrían respuesta 1 pregunta (3 veces)");
  await expect(preview).toContainText("Cambiaría la respuesta de 1 pregunta (1 vez)");
  await expect(preview.getByRole("listitem").first()).toContainText("con lo dicho antes");
  await expect(publish).toBeEnabled();
  await page.getByLabel("Título").fill("¡Agua en Panamá");
  await expect(publish).toBeDisabled();
  await expect(preview.getByRole("listitem")).toHaveCount(0);
  await start.click();
  await expect(publish).toBeEnabled();
  await expectAccessible(page);
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoSidewaysScroll(page);

  expect(sent).toEqual([]);
  await publish.click();
  await expect(page.getByText("«8:00» está escrito tal cual.")).toBeVisible();
  await expect(page.getByLabel("Motivo")).toHaveAttribute("aria-invalid", "true");
  await expectAccessible(page);
  await page.getByLabel("Motivo").fill("Lo preguntan.");
  await publish.click();
  await expect(page).toHaveURL(/respuestas$/);
  expect(sent.at(-1)).toEqual({
    slug: "agua-en-panama",
    topic: "clinica",
    service: "",
    aspect: "",
    questions: ["soy ¿hay agua?"],
    text: "Abrimos {{hours}}",
    english: "",
    reason: "Lo preguntan.",
  });
});

test("another version says which one it changes", async ({ page }) => {
  const { topic, service, aspect, questions, text, english } = version;
  const content = { slug: "agua-filtrada", topic, service, aspect, questions, text, english };
  await answer(page, { answer: json({ ...content, open: false, version: 2 }) });
  await page.goto("/dashboard/respuestas");
  await page.getByRole("link", { name: "Cambiar agua-filtrada" }).click();
  await expect(page.getByRole("textbox", { name: "Preguntas" })).toHaveValue(
    "¿hay agua?\ndispensador",
  );
  await expect(page.getByLabel("Título")).toHaveCount(0);
  await answer(page, { answers: failure(409), preview: (route) => route.fulfill(trial) });
  await page.getByRole("button", { name: "Probar con las preguntas" }).click();
  await expect(page.getByText("Ahora tendrían respuesta 1 pregunta (3 veces)")).toBeVisible();
  const posted = page.waitForRequest((request) => request.method() === "POST");
  await page.getByLabel("Motivo").fill("Cambió.");
  await page.getByRole("button", { name: "Publicar" }).click();
  expect((await posted).postDataJSON()).toMatchObject({ slug: "agua-filtrada", version: 2 });
  await expect(page.getByRole("alert")).toBeVisible();
});

test("a reply that was rated badly leads to its answer", async ({ page }) => {
  const { topic, service, aspect, questions, text, english } = version;
  const content = { slug: "agua-filtrada", topic, service, aspect, questions, text, english };
  await answer(page, {
    answer: json({ ...content, open: false, version: 0 }),
    questions: asking({ text: "¿hay jugo?", answer: "agua-filtrada" }),
  });
  await page.goto("/dashboard?vista=preguntas");
  await page.getByRole("link", { name: "Cambiar la respuesta a «¿hay jugo?»" }).click();
  await expect(page.getByRole("textbox", { name: "Preguntas" })).toHaveValue(
    "¿hay agua?\ndispensador\n¿hay jugo?",
  );
});

test("the chart marks the days on which an answer was taught, also in its table", async ({
  page,
}) => {
  await page.goto("/dashboard");
  await expect(page.getByText("Respuesta enseñada", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Ver datos en tabla" }).click();
  await expect(page.getByRole("figure").getByText("Se enseñó: agua-filtrada, otra")).toBeVisible();
  await expectAccessible(page, page.locator("figure"));
});

test("is for who may see people", async ({ page }) => {
  await answer(page, { user: json(reader) });
  for (const path of ["/dashboard/respuestas", "/dashboard/respuestas/nueva"]) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/dashboard$/);
  }
  await expect(page.getByRole("link", { name: "Respuestas" })).toHaveCount(0);
});
