import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "../api/errors";
import { chatTexts } from "../content/chat";
import { fill } from "../content/fill";
import type { StoredVisit } from "./storage";
import { type ChatDependencies, type ChatMessage, createChat, limitCloseDelay } from "./store";

const welcome = fill(chatTexts.welcome);
const difficulties = fill(chatTexts.difficulties);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

type Answer = (...asked: Parameters<ChatDependencies["ask"]>) => Promise<string>;

interface Given {
  readonly stored?: StoredVisit | undefined;
  readonly readBack?: ChatDependencies["readBack"];
}

function newChat(
  answer: Answer = async ({ message }) => `eco: ${message}`,
  { stored, readBack = async () => undefined }: Given = {},
) {
  let ids = 0;
  let saved = stored;
  const storage = {
    read: () => saved,
    write: (changed: StoredVisit) => {
      saved = changed;
    },
  };
  const ask = vi.fn(async (...asked: Parameters<ChatDependencies["ask"]>) => ({
    response: await answer(...asked),
    messageId: asked[0].messageId ?? "",
  }));
  const rate = vi.fn(async (_: unknown) => undefined);
  const count = vi.fn();
  const chat = createChat({
    ask,
    rate,
    readBack,
    count,
    storage,
    newId: () => {
      ids += 1;
      return `id-${ids}`;
    },
    now: () => new Date("2026-11-20T15:00:00Z"),
  });
  return { ask, rate, count, state: chat.getState, saved: () => saved };
}

const refuse =
  (status: number, body = "") =>
  async () => {
    throw new ApiError("Failed to fetch chatbot response", status, body);
  };

describe("rating", () => {
  const last = (state: () => { messages: readonly ChatMessage[] }) =>
    state().messages.at(-1) as ChatMessage;

  it("keeps, changes and takes back what an answer is worth", async () => {
    const { state, rate } = newChat();
    await state().send("Hola");
    const { replyTo } = last(state);
    await state().rate(last(state), "positive");
    expect(last(state).rating).toBe("positive");
    await state().rate(last(state), "negative");
    expect(last(state).rating).toBe("negative");
    await state().rate(last(state), "negative");
    expect(last(state).rating).toBeUndefined();
    expect(rate.mock.calls.map(([body]) => body)).toEqual(
      ["positive", "negative", "none"].map((rating) => ({
        sessionId: "id-1",
        messageId: replyTo,
        rating,
      })),
    );
  });

  it.each([429, 503])(
    "shows what was said before where it could not be kept: %d",
    async (status) => {
      const { state, rate } = newChat();
      state().toggle();
      await state().send("Hola");
      rate.mockRejectedValueOnce(new ApiError(`${status}`, status, ""));
      await state().rate(last(state), "positive");
      expect(last(state)).toMatchObject({ text: "eco: Hola", rating: undefined });
      expect(state()).toMatchObject({ open: true, notice: undefined });
    },
  );

  it("is only for answers of the assistant", async () => {
    const { state, rate } = newChat(refuse(500));
    await state().send("Hola");
    for (const message of state().messages) await state().rate(message, "positive");
    expect(rate).not.toHaveBeenCalled();
  });

  it("comes back with the conversation", async () => {
    const timestamp = "2026-11-20T15:00:00Z";
    const { state } = newChat(undefined, {
      stored: { sessionId: "s", begun: true },
      readBack: async () => [
        { id: "1", messageId: "m1", text: "Hola", isUser: true, timestamp },
        { id: "2", messageId: "m1", text: "Eco", isUser: false, rating: "negative", timestamp },
      ],
    });
    await state().restore();
    expect(last(state)).toMatchObject({ replyTo: "m1", rating: "negative" });
    expect(state().messages.at(-2)).not.toHaveProperty("replyTo");
  });
});

describe("counting", () => {
  it("counts a visit once, also over a reload", () => {
    const { state, count, saved } = newChat();
    state().countVisit();
    state().countVisit();
    expect(count.mock.calls).toEqual([[{ sessionId: "id-1" }]]);
    const after = newChat(undefined, { stored: saved() });
    after.state().countVisit();
    expect(after.count).not.toHaveBeenCalled();
  });

  it("tells apart who opened the panel", () => {
    const { state, count } = newChat();
    state().openItself();
    expect(count).toHaveBeenLastCalledWith({ sessionId: "id-1", openedBy: "auto" });
    state().engage();
    expect(count).toHaveBeenLastCalledWith({ sessionId: "id-1", openedBy: "visitor" });
    state().toggle();
    state().toggle();
    expect(count).toHaveBeenCalledTimes(2);
  });

  it("takes a visitor who closes what opened itself for none who opened it", () => {
    const { state, count } = newChat();
    state().openItself();
    state().toggle();
    expect(count).toHaveBeenCalledTimes(1);
  });

  it("leaves it to the conversation once there is one", () => {
    const { state, count } = newChat(undefined, { stored: { sessionId: "s", begun: true } });
    state().toggle();
    expect(count).not.toHaveBeenCalled();
  });
});

describe("opening", () => {
  it("is closed and welcomes", () => {
    const { state } = newChat();
    expect(state().open).toBe(false);
    expect(state().messages.map(({ text }) => text)).toEqual([welcome]);
  });

  it("pulses, then opens itself once", () => {
    const { state } = newChat();
    state().pulse();
    expect(state().pulsing).toBe(true);
    state().openItself();
    expect(state()).toMatchObject({ open: true, openedItself: true, pulsing: false });
    state().toggle();
    state().openItself();
    expect(state().open).toBe(false);
  });

  it("leaves a visitor alone who has used it", () => {
    const { state } = newChat();
    state().toggle();
    expect(state()).toMatchObject({ open: true, openedItself: false });
    state().toggle();
    state().pulse();
    state().openItself();
    expect(state()).toMatchObject({ open: false, pulsing: false });
  });
});

describe("sending", () => {
  it("sends nothing that is empty", async () => {
    const { ask, state } = newChat();
    await state().send(" \n\t ");
    expect(ask).not.toHaveBeenCalled();
    expect(state().messages).toHaveLength(1);
  });

  it("blocks a second message while a reply is pending", async () => {
    const { ask, state } = newChat();
    const first = state().send("hola");
    expect(state().pending).toBe(true);
    await state().send("¿sigue ahí?");
    await first;
    expect(ask).toHaveBeenCalledTimes(1);
    expect(state().pending).toBe(false);
    expect(state().messages.map(({ text }) => text)).toEqual([welcome, "hola", "eco: hola"]);
  });

  it("names the visit and the message, and repeats what was said before", async () => {
    const { ask, state } = newChat();
    await state().send(" hola ");
    await state().send("horario");
    const [first, second] = ask.mock.calls.map(([request]) => request);
    expect(first).toMatchObject({ message: "hola", conversationHistory: [] });
    expect(second?.conversationHistory).toEqual([
      { role: "user", content: "hola" },
      { role: "assistant", content: "eco: hola" },
    ]);
    expect(second?.sessionId).toBe(first?.sessionId);
    expect(second?.messageId).not.toBe(first?.messageId);
  });
});

describe("failing", () => {
  it.each([
    ["a 429", refuse(429)],
    ["limitReached in the body", refuse(503, '{"limitReached": true}')],
  ])("says so at the limit and closes after a while: %s", async (_, answer) => {
    const { state } = newChat(answer);
    state().toggle();
    await state().send("hola");
    expect(state().messages.at(-1)?.text).toBe(chatTexts.limit);
    expect(state()).toMatchObject({ pending: false, unanswered: undefined });
    vi.advanceTimersByTime(limitCloseDelay - 1);
    expect(state().open).toBe(true);
    vi.advanceTimersByTime(1);
    expect(state()).toMatchObject({ open: false, settled: true, notice: chatTexts.limit });
    state().dismissNotice();
    expect(state().notice).toBeUndefined();
  });

  it("goes on in a new conversation where the old one is bound to another browser", async () => {
    const { state, ask, saved } = newChat(
      async ({ sessionId }) => (sessionId === "s" ? refuse(403)() : "eco"),
      { stored: { sessionId: "s", begun: true } },
    );
    await state().send("hola");
    expect(
      state()
        .messages.slice(1)
        .map(({ text }) => text),
    ).toEqual(["hola", chatTexts.renewed, "eco"]);
    expect(ask.mock.lastCall?.[0]).toMatchObject({ message: "hola", conversationHistory: [] });
    expect(saved()).toMatchObject({ sessionId: ask.mock.lastCall?.[0].sessionId, begun: true });
    expect(state()).toMatchObject({ pending: false, unanswered: undefined });
  });

  it("goes on in a new conversation where the old one was erased", async () => {
    const { state, ask, saved } = newChat(
      async ({ sessionId }) => (sessionId === "s" ? refuse(410)() : "eco"),
      { stored: { sessionId: "s", begun: true, earlier: ["r"], settled: true } },
    );
    await state().send("hola");
    expect(state().messages.map(({ text }) => text)).toEqual([
      welcome,
      chatTexts.erased,
      "hola",
      "eco",
    ]);
    expect(ask.mock.lastCall?.[0]).toMatchObject({ message: "hola", conversationHistory: [] });
    expect(saved()).toMatchObject({ earlier: [], begun: true, settled: true });
    expect(state().sessions()).toEqual([ask.mock.lastCall?.[0].sessionId]);
  });

  it("begins anew where a conversation in sight was erased", async () => {
    const { state, saved } = newChat(undefined, { stored: { sessionId: "s", earlier: ["r"] } });
    await state().send("hola");
    state().forget(["another"]);
    expect(state().messages).toHaveLength(3);
    expect(saved()?.sessionId).toBe("s");
    state().forget(["r"]);
    expect(state().messages.map(({ text }) => text)).toEqual([welcome]);
    expect(saved()).toMatchObject({ earlier: [], begun: false });
    expect(saved()?.sessionId).not.toBe("s");
    await state().send("hola");
    state().forget();
    expect(state().messages).toHaveLength(1);
  });

  it("tries a new conversation once", async () => {
    const { state, ask } = newChat(refuse(403));
    await state().send("hola");
    expect(ask).toHaveBeenCalledTimes(2);
    expect(state().messages.at(-1)?.text).toBe(difficulties);
  });

  it.each([
    ["a server error", refuse(502, '{"message": "x"}')],
    ["a body that is no JSON", refuse(500, "<html>")],
    ["a body that says the limit is not reached", refuse(500, '{"limitReached": false}')],
    ["no connection", () => Promise.reject(new TypeError("fetch failed"))],
  ])("offers the booking link after %s", async (_, answer) => {
    const { state } = newChat(answer);
    await state().send("hola");
    expect(state().messages.at(-1)?.text).toBe(difficulties);
    expect(state().pending).toBe(false);
  });

  it("asks again under the same message id", async () => {
    let failures = 1;
    const { ask, state } = newChat(async ({ message }) => {
      failures -= 1;
      if (failures >= 0) throw new TypeError("fetch failed");
      return `eco: ${message}`;
    });
    await state().send("hola");
    await state().retry();
    const [first, second] = ask.mock.calls.map(([request]) => request);
    expect(second).toEqual(first);
    expect(state().unanswered).toBeUndefined();
    expect(state().messages.at(-1)?.text).toBe("eco: hola");
    await state().send("gracias");
    expect(ask.mock.lastCall?.[0].conversationHistory).toEqual([
      { role: "user", content: "hola" },
      { role: "assistant", content: "eco: hola" },
    ]);
  });
});

describe("an answer on its way", () => {
  it("shows what has arrived, and what has broken off no longer", async () => {
    const seen: unknown[] = [];
    const { state } = newChat(async (_, { onPart, onReconnect }) => {
      onPart("Aten");
      seen.push(state().partial);
      onReconnect();
      seen.push(state().partial, state().reconnecting);
      return "Atendemos hoy";
    });
    await state().send("hola");
    expect(seen).toEqual(["Aten", undefined, true]);
    expect(state()).toMatchObject({ partial: undefined, reconnecting: false });
    expect(state().messages.at(-1)?.text).toBe("Atendemos hoy");
  });

  it("is unread where the panel is closed, until it is opened", async () => {
    const { state } = newChat();
    state().toggle();
    const answered = state().send("hola");
    state().toggle();
    expect(state().unread).toBe(false);
    await answered;
    expect(state().unread).toBe(true);
    state().toggle();
    expect(state().unread).toBe(false);
  });
});

describe("another conversation", () => {
  const label = chatTexts.newConversation.begin;
  const texts = (state: () => { messages: readonly ChatMessage[] }) =>
    state().messages.map(({ text }) => text);

  it.each([
    ["the button", (state: ReturnType<typeof newChat>["state"]) => state().beginAnew()],
    [
      "its words",
      (state: ReturnType<typeof newChat>["state"]) => state().send(" nueva CONVERSACION "),
    ],
  ])("begins with %s, under another id, below what was said", async (_, begin) => {
    const { ask, rate, count, state, saved } = newChat();
    await state().send("hola");
    const said = texts(state);
    const [, , reply] = state().messages as [ChatMessage, ChatMessage, ChatMessage];
    await begin(state);
    expect(ask).toHaveBeenCalledTimes(1);
    expect(texts(state)).toEqual([...said, chatTexts.newConversation.begun]);
    await state().send("quiero una cita");
    const [first, second] = ask.mock.calls.map(([request]) => request);
    expect(second?.sessionId).not.toBe(first?.sessionId);
    expect(second?.conversationHistory).toEqual([]);
    expect(saved()).toMatchObject({ sessionId: second?.sessionId, earlier: [first?.sessionId] });
    await state().rate(reply, "positive");
    expect(rate.mock.lastCall?.[0]).toMatchObject({ sessionId: first?.sessionId });
    state().toggle();
    expect(count).not.toHaveBeenCalled();
  });

  it("is nothing to begin where none has begun, or while an answer is awaited", async () => {
    const { ask, state } = newChat();
    state().beginAnew();
    expect(state().messages).toHaveLength(1);
    await state().send(label);
    expect(ask).toHaveBeenCalledTimes(1);
    const second = state().send("hola");
    state().beginAnew();
    await second;
    const [one, two] = ask.mock.calls.map(([request]) => request.sessionId);
    expect(two).toBe(one);
  });

  it("is offered by the answer that says so, also after a reload", async () => {
    const timestamp = "2026-11-20T15:00:00Z";
    const one = (id: string, text: string, isUser: boolean) => ({
      id,
      messageId: "m",
      text,
      isUser,
      timestamp,
    });
    const stored: Record<string, Parameters<typeof one>[]> = {
      a: [
        ["1", "otra cita", true],
        ["2", "Ya tienes", false],
      ],
      b: [["1", "hola", true]],
    };
    const readBack = vi.fn(async (id: string) =>
      stored[id]?.map((said) => ({
        ...one(...said),
        ...(said[1] === "Ya tienes" && { action: "new-conversation" as const }),
      })),
    );
    const alone = newChat(undefined, { stored: { sessionId: "a", begun: true }, readBack });
    await alone.state().restore();
    expect(alone.state().messages.at(-1)?.action).toBe("new-conversation");

    const begun = { sessionId: "b", begun: true, earlier: ["a", "gone"] };
    const both = newChat(undefined, { stored: begun, readBack });
    await both.state().restore();
    const line = chatTexts.newConversation.begun;
    expect(texts(both.state)).toEqual([welcome, "otra cita", "Ya tienes", line, "hola"]);
    expect(new Set(both.state().messages.map(({ id }) => id)).size).toBe(5);

    const fresh = newChat(undefined, { stored: { sessionId: "c", earlier: ["a"] }, readBack });
    readBack.mockClear();
    await fresh.state().restore();
    expect(readBack.mock.calls.map(([id]) => id)).toEqual(["a"]);
    expect(texts(fresh.state)).toEqual([welcome, "otra cita", "Ya tienes", line]);
    expect(fresh.saved()?.sessionId).toBe("c");
  });
});

describe("after a reload", () => {
  const said = (id: string, text: string, isUser: boolean) => ({
    id,
    text,
    isUser,
    timestamp: "2026-11-20T14:59:00Z",
  });
  const texts = (state: () => { messages: readonly { text: string }[] }) =>
    state().messages.map(({ text }) => text);

  it("reads back what was said, and goes on in the same conversation", async () => {
    const readBack = vi.fn(async () => [said("1", "hola", true), said("2", "¡Hola!", false)]);
    const stored = { sessionId: "s", begun: true, settled: true };
    const { ask, state } = newChat(undefined, { stored, readBack });
    await state().restore();
    expect(readBack).toHaveBeenCalledWith("s");
    expect(texts(state)).toEqual([welcome, "hola", "¡Hola!"]);
    await state().send("gracias");
    expect(ask.mock.lastCall?.[0]).toMatchObject({ sessionId: "s" });
    expect(ask.mock.lastCall?.[0].conversationHistory).toHaveLength(2);
    state().openItself();
    expect(state().open).toBe(false);
  });

  it("asks under the same id for the answer that had not come", async () => {
    const asked = { id: "m", text: "soy Ana, 6000-0000" };
    const { ask, state, saved } = newChat(undefined, {
      stored: { sessionId: "s", begun: true, asked },
      readBack: async () => [said("1", "soy Ana, [teléfono]", true)],
    });
    await state().restore();
    expect(ask).toHaveBeenCalledTimes(1);
    expect(ask.mock.lastCall?.[0]).toMatchObject({ messageId: "m", message: asked.text });
    expect(texts(state)).toEqual([welcome, asked.text, `eco: ${asked.text}`]);
    expect(saved()?.asked).toBeUndefined();
  });

  it("does not ask again for an answer that came after all", async () => {
    const { ask, state, saved } = newChat(undefined, {
      stored: { sessionId: "s", begun: true, asked: { id: "m", text: "hola" } },
      readBack: async () => [said("1", "hola", true), said("2", "¡Hola!", false)],
    });
    await state().restore();
    expect(ask).not.toHaveBeenCalled();
    expect(saved()?.asked).toBeUndefined();
  });

  it("begins anew where the conversation may not be read any more", async () => {
    const { ask, state } = newChat(undefined, { stored: { sessionId: "s", begun: true } });
    await state().restore();
    expect(texts(state)).toEqual([welcome]);
    await state().send("hola");
    expect(ask.mock.lastCall?.[0].sessionId).not.toBe("s");
  });

  it("waits for a connection", async () => {
    let connected = false;
    const { state } = newChat(undefined, {
      stored: { sessionId: "s", begun: true },
      readBack: async () => {
        if (!connected) throw new TypeError("fetch failed");
        return [said("1", "hola", true)];
      },
    });
    await state().restore();
    expect(texts(state)).toEqual([welcome]);
    connected = true;
    await state().restore();
    expect(texts(state)).toEqual([welcome, "hola"]);
  });

  it("asks nothing before anything was said", async () => {
    const readBack = vi.fn(async () => undefined);
    await newChat(undefined, { readBack }).state().restore();
    expect(readBack).not.toHaveBeenCalled();
  });
});
