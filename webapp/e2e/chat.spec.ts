/** What is said in the panel. */
import { answer, failure, json, linkClinic, neverAnswers, site } from "./answers";
import { input, log, openChat, opener, send, widget } from "./chatPanel";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./test";

test.beforeEach(async ({ page }) => {
  await answer(page, site);
});

test("offers quick replies until something was said", { tag: "@both" }, async ({
  page,
  hasTouch,
}) => {
  await openChat(page);
  const replies = page.getByRole("list", { name: "Respuestas rápidas" });
  await expect(replies.getByRole("button")).toHaveText([
    "Quiero agendar una cita",
    "¿Dónde están?",
    "¿Cuál es el horario?",
    "Tengo dolor",
  ]);
  await replies.getByRole("button", { name: "¿Cuál es el horario?" }).click();
  await expect(log(page)).toContainText("Atendemos de lunes a viernes.");
  await expect(replies).toHaveCount(0);
  await expect(hasTouch ? log(page) : input(page)).toBeFocused();
});

test("suggests answers, each sent once, also after a reload", async ({ page }) => {
  const slots = ["mar 24, 9:00 a. m.", "mar 24, 11:30 a. m.", "mié 25, 2:00 p. m.", "Otro día"];
  const offer = { response: "Tengo tres horas. ¿Cuál prefieres?", messageId: "m" };
  const sent: string[] = [];
  const answers: (() => void)[] = [];
  await answer(page, {
    chat: async (route) => {
      sent.push(route.request().postDataJSON().message);
      if (sent.length === 1) return json({ ...offer, suggestions: slots })(route);
      await new Promise<void>((resolve) => answers.push(resolve));
      await json({ response: "¿A nombre de quién?", messageId: "n" })(route);
    },
    conversation: async (route) => {
      const { sessionId } = route.request().postDataJSON();
      const timestamp = "2026-11-20T14:59:00.000Z";
      const messages = [
        { id: "1", text: "una cita", isUser: true, timestamp },
        { id: "2", text: offer.response, isUser: false, timestamp, suggestions: slots },
      ];
      await json({ sessionId, messages })(route);
    },
  });
  const suggested = page.getByRole("list", { name: "Respuestas rápidas" });
  await openChat(page);
  await input(page).fill("una cita");
  await input(page).press("Enter");
  await expect(suggested.getByRole("button")).toHaveText(slots);
  for (const width of [page.viewportSize()?.width ?? 0, 320]) {
    await page.setViewportSize({ width, height: 640 });
    await expectNoSidewaysScroll(page);
    for (const button of await suggested.getByRole("button").all()) {
      const box = await button.boundingBox();
      expect(Math.min(box?.height ?? 0, box?.width ?? 0)).toBeGreaterThanOrEqual(44);
      expect((box?.x ?? width) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
    }
  }

  await page.reload();
  await opener(page).click();
  await expect(suggested.getByRole("button")).toHaveText(slots);
  await suggested.getByRole("button", { name: "mié 25, 2:00 p. m." }).dblclick();
  await expect(suggested).toHaveCount(0);
  await expect(log(page)).toContainText("mié 25, 2:00 p. m.");
  await expect.poll(() => answers.length).toBe(1);
  answers[0]?.();
  await expect(log(page)).toContainText("¿A nombre de quién?");
  await expect(suggested).toHaveCount(0);
  expect(sent).toEqual(["una cita", "mié 25, 2:00 p. m."]);
});

test("offers what a booked appointment needs, also after a reload", { tag: "@both" }, async ({
  page,
}) => {
  const suggestions = ["Cambiar", "Cancelar", "Cómo llegar"];
  const calendar = "/r/mx46v8wd73zfbtct/cita.ics";
  const booked = "¡Listo! Tu cita de ortodoncia quedó agendada para el martes 24, 9:00 a. m.";
  const sent: string[] = [];
  await answer(page, {
    chat: async (route) => {
      sent.push(route.request().postDataJSON().message);
      if (sent.length === 1)
        return json({ response: booked, messageId: "m", suggestions, calendar })(route);
      await json({ response: "Estamos en la plaza.", messageId: "n" })(route);
    },
    conversation: async (route) => {
      const { sessionId } = route.request().postDataJSON();
      const timestamp = "2026-11-20T14:59:00.000Z";
      const messages = [
        { id: "1", text: "sí", isUser: true, timestamp },
        { id: "2", text: booked, isUser: false, timestamp, suggestions, calendar },
      ];
      await json({ sessionId, messages })(route);
    },
  });
  await page.route(`**${calendar}`, (route) =>
    route.fulfill({
      contentType: "text/calendar; charset=utf-8",
      headers: { "Content-Disposition": 'attachment; filename="cita.ics"' },
      body: "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n",
    }),
  );
  const replies = page.getByRole("list", { name: "Respuestas rápidas" });
  const link = replies.getByRole("link", { name: "Añadir al calendario" });
  await openChat(page);
  await input(page).fill("sí");
  await input(page).press("Enter");
  await expect(replies.getByRole("listitem")).toHaveText([...suggestions, "Añadir al calendario"]);
  await expectAccessible(page, page.locator(widget));
  await expectNoSidewaysScroll(page);

  await page.reload();
  await opener(page).click();
  const box = await link.boundingBox();
  expect(box?.height).toBeGreaterThanOrEqual(44);
  const download = page.waitForEvent("download");
  await link.click();
  expect((await download).suggestedFilename()).toBe("cita.ics");
  await expect(log(page)).toContainText(booked);

  await replies.getByRole("button", { name: "Cómo llegar" }).click();
  await expect(log(page)).toContainText("Estamos en la plaza.");
  await expect(link).toHaveCount(0);
  expect(sent).toEqual(["sí", "Cómo llegar"]);
});

test("shows an answer while it arrives, and reads it out once it is whole", async ({ page }) => {
  await page.addInitScript(() => {
    const { fetch } = window;
    const say = (name: string, data: unknown) =>
      new TextEncoder().encode(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
    window.fetch = async (resource, options) => {
      if (resource !== "/api/chatbot/stream") return fetch(resource, options);
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(say("delta", { text: "Atendemos " }));
          window.addEventListener("go-on", () => {
            controller.enqueue(say("delta", { text: "hoy." }));
            controller.enqueue(say("done", { response: "Atendemos hoy.", messageId: "m" }));
            controller.close();
          });
        },
      });
      return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
    };
  });
  await openChat(page);
  await input(page).fill("hola");
  await input(page).press("Enter");
  const partial = page.getByTestId("partial");
  await expect(partial).toHaveText("Atendemos ");
  await expect(partial).toHaveAttribute("aria-hidden", "true");
  await expectAccessible(page, page.locator(widget));
  await page.evaluate(() => window.dispatchEvent(new Event("go-on")));
  await expect(log(page)).toContainText("Asistente: Atendemos hoy.");
  await expect(partial).toHaveCount(0);
});

test("asks again under the same id when a stream breaks off", async ({ page }) => {
  const ids: unknown[] = [];
  let answerNow = () => {};
  const held = new Promise<void>((resolve) => {
    answerNow = resolve;
  });
  await answer(page, {
    stream: async (route) => {
      ids.push(route.request().postDataJSON().messageId);
      await route.fulfill({
        contentType: "text/event-stream",
        body: 'event: delta\ndata: {"text":"Aten"}\n\n',
      });
    },
    chat: async (route) => {
      ids.push(route.request().postDataJSON().messageId);
      await held;
      await json({ response: "Atendemos hoy.", messageId: "m" })(route);
    },
  });
  await openChat(page);
  await input(page).fill("hola");
  await input(page).press("Enter");
  await expect(page.getByText("Recuperando la conexión…").first()).toBeVisible();
  answerNow();
  await expect(log(page)).toContainText("Atendemos hoy.");
  expect(ids).toHaveLength(2);
  expect(ids[1]).toBe(ids[0]);
});

test("marks an answer that came while the panel was closed", async ({ page }) => {
  let answerNow = () => {};
  const held = new Promise<void>((resolve) => {
    answerNow = resolve;
  });
  await answer(page, {
    chat: async (route) => {
      await held;
      await json({ response: "Atendemos hoy.", messageId: "m" })(route);
    },
  });
  await openChat(page);
  await input(page).fill("hola");
  await input(page).press("Enter");
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("unread")).toHaveCount(0);
  answerNow();
  await expect(page.getByTestId("unread")).toBeVisible();
  await expect(page.getByText("Hay un mensaje nuevo")).toBeAttached();
  await expectAccessible(page, page.locator(widget));
  await opener(page).click();
  await expect(page.getByTestId("unread")).toHaveCount(0);
  await expect(log(page)).toContainText("Atendemos hoy.");
});

test("goes on after a reload", async ({ page }) => {
  const sessions: unknown[] = [];
  await answer(page, {
    chat: async (route) => {
      sessions.push(route.request().postDataJSON().sessionId);
      await json({ response: "Atendemos hoy.", messageId: "m" })(route);
    },
    conversation: async (route) => {
      sessions.push(route.request().postDataJSON().sessionId);
      const timestamp = "2026-11-20T14:59:00.000Z";
      const said = (id: string, text: string, isUser: boolean) => ({ id, text, isUser, timestamp });
      const messages = [said("1", "soy Ana, [teléfono]", true), said("2", "¡Hola, Ana!", false)];
      await json({ sessionId: sessions[0], messages })(route);
    },
  });
  await openChat(page);
  await input(page).fill("soy Ana, 6000-0000");
  await input(page).press("Enter");
  await expect(log(page)).toContainText("Atendemos hoy.");
  await page.reload();
  await expect(log(page)).toHaveCount(0);
  await opener(page).click();
  await expect(log(page)).toContainText("¡Hola, Ana!");
  await input(page).fill("gracias");
  await input(page).press("Enter");
  await expect(log(page)).toContainText("Atendemos hoy.");
  expect(new Set(sessions).size).toBe(1);
  expect(sessions).toHaveLength(3);
});

test("begins another conversation, below the one before, also over a reload", async ({ page }) => {
  const asked: { sessionId: string; conversationHistory: unknown[] }[] = [];
  const offer = {
    response: "Ya tienes cita. Para otra persona, toca «Nueva conversación».",
    messageId: "m",
    action: "new-conversation",
  };
  await answer(page, {
    chat: async (route) => {
      asked.push(route.request().postDataJSON());
      await json(asked.length === 1 ? offer : { response: "¿Para quién?", messageId: "n" })(route);
    },
    conversation: async (route) => {
      const { sessionId } = route.request().postDataJSON();
      const timestamp = "2026-11-20T14:59:00.000Z";
      const said = (id: string, text: string, isUser: boolean) => ({ id, text, isUser, timestamp });
      const messages =
        sessionId === asked[0]?.sessionId
          ? [
              said("1", "otra cita para mi esposo", true),
              { ...said("2", offer.response, false), action: offer.action },
            ]
          : [said("1", "quiero una cita", true), said("2", "¿Para quién?", false)];
      await json({ sessionId, messages })(route);
    },
  });
  const button = page.getByRole("button", { name: "Nueva conversación" });
  await openChat(page);
  await input(page).fill("otra cita para mi esposo");
  await input(page).press("Enter");
  await expect(button).toBeVisible();
  await expectAccessible(page, page.locator(widget));
  await expectNoSidewaysScroll(page);

  await page.reload();
  await opener(page).click();
  await expect(button).toBeVisible();
  await button.click();
  await expect(button).toHaveCount(0);
  await expect(input(page)).toBeFocused();
  await expect(log(page)).toContainText("Ya tienes cita.");
  await expect(log(page)).toContainText("Conversación nueva. ¿En qué te ayudo?");
  await input(page).fill("quiero una cita");
  await input(page).press("Enter");
  await expect(log(page)).toContainText("¿Para quién?");
  expect(asked[1]?.sessionId).not.toBe(asked[0]?.sessionId);
  expect(asked[1]?.conversationHistory).toEqual([]);

  await page.reload();
  await opener(page).click();
  await expect(log(page)).toContainText(
    /otra cita para mi esposo.*Conversación nueva.*quiero una cita.*¿Para quién\?/s,
  );
  await expect(button).toHaveCount(0);
});

test("sends with Enter, not with Shift+Enter, and nothing that is empty", async ({ page }) => {
  const sent: Record<string, unknown>[] = [];
  await answer(page, {
    chat: async (route) => {
      sent.push(route.request().postDataJSON());
      await json({ response: "Llame al [consultorio](tel:+5072000101). <b>Gracias</b>" })(route);
    },
  });
  await openChat(page);
  await expect(send(page)).toBeDisabled();
  await input(page).fill("   ");
  await input(page).press("Enter");
  await expect(send(page)).toBeDisabled();
  await input(page).fill("hola");
  await input(page).press("Shift+Enter");
  await expect(input(page)).toHaveValue("hola\n");
  await input(page).press("Enter");
  await expect(input(page)).toHaveValue("");
  await expect(log(page)).toContainText("Llame al consultorio. <b>Gracias</b>");
  await expect(log(page).getByRole("link", { name: "consultorio" })).toHaveAttribute(
    "href",
    "tel:+5072000101",
  );
  await input(page).fill("¿y mañana?");
  await send(page).click();
  await expect(() => expect(sent).toHaveLength(2)).toPass();
  const [first, second] = sent;
  const uuid = /^[0-9a-f-]{36}$/;
  expect(first).toMatchObject({ message: "hola", conversationHistory: [] });
  expect(first?.sessionId).toMatch(uuid);
  expect(first?.messageId).toMatch(uuid);
  expect(second?.sessionId).toBe(first?.sessionId);
  expect(second?.messageId).not.toBe(first?.messageId);
  expect(second?.conversationHistory).toHaveLength(2);
});

test("is busy while a reply is pending and keeps the focus", async ({ page }) => {
  await answer(page, { chat: neverAnswers });
  await openChat(page);
  await input(page).fill("hola");
  await input(page).press("Enter");
  await expect(page.getByTestId("typing")).toBeVisible();
  await expect(input(page)).toBeDisabled();
  await expect(send(page)).toBeDisabled();
  await expect(input(page)).toBeFocused();
  await input(page).press("x");
  await expect(input(page)).toHaveValue("");
});

test("offers the booking link in difficulties, and a safe second try", async ({ page }) => {
  linkClinic(page);
  const ids: unknown[] = [];
  await answer(page, {
    chat: async (route) => {
      ids.push(route.request().postDataJSON().messageId);
      await failure(502)(route);
    },
  });
  await openChat(page);
  await input(page).fill("hola");
  await input(page).press("Enter");
  await expect(log(page)).toContainText("dificultades técnicas");
  const link = log(page).getByRole("link", { name: /Agendar una cita/ });
  await expect(link).toHaveAttribute("href", /^https:/);
  await expect(link).toHaveAttribute("target", "_blank");
  await page.getByRole("button", { name: "Reintentar" }).click();
  await expect(() => {
    expect(ids).toHaveLength(2);
    expect(ids[1]).toBe(ids[0]);
  }).toPass();
});
