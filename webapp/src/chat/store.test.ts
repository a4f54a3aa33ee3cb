import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "../api/errors";
import { chatTexts } from "../content/chat";
import type { ChatDependencies, ChatMessage } from "./state";
import type { Asked, StoredChat } from "./storage";
import { createChat, limitCloseDelay, visitPause } from "./store";
import type { Tabs } from "./tabs";

const welcome = chatTexts.welcome;
const difficulties = chatTexts.difficulties;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

type Answer = (...asked: Parameters<ChatDependencies["ask"]>) => Promise<string>;

interface Given {
  readonly stored?: StoredChat | undefined;
  readonly asked?: Asked | undefined;
  readonly readBack?: ChatDependencies["readBack"];
  /** Tabs of the browser that this one belongs to. */
  readonly browser?: ReturnType<typeof newBrowser>;
  readonly name?: string;
}

const start = Date.parse("2026-11-20T15:00:00Z");

/** What the tabs of a browser share: what is kept, their news, one turn at a time, a clock. */
function newBrowser(stored?: StoredChat) {
  const listeners: Parameters<Tabs["listen"]>[0][] = [];
  let saved: StoredChat | undefined = stored && { seenAt: start, ...stored };
  let turn: Promise<unknown> = Promise.resolve();
  let time = start;
  return {
    read: () => saved,
    write(changed: StoredChat) {
      saved = changed;
    },
    now: () => new Date(time++),
    wait: (milliseconds: number) => {
      time += milliseconds;
    },
    tabs(): Tabs {
      const own: { hear?: Parameters<Tabs["listen"]>[0] } = {};
      return {
        tell: (told) => {
          for (const hear of listeners) if (hear !== own.hear) hear(structuredClone(told));
        },
        listen(hear) {
          own.hear = hear;
          listeners.push(hear);
        },
        alone<T>(work: () => Promise<T>) {
          const mine = turn.then(work);
          turn = mine.catch(() => undefined);
          return mine;
        },
      };
    },
  };
}

function newChat(
  answer: Answer = async ({ message }) => `eco: ${message}`,
  {
    stored,
    asked: left,
    readBack = async () => undefined,
    browser = newBrowser(stored),
    name = "id",
  }: Given = {},
) {
  let ids = 0;
  let asked = left;
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
    storage: {
      ...browser,
      readAsked: () => asked,
      writeAsked: (changed) => {
        asked = changed;
      },
    },
    tabs: browser.tabs(),
    newId: () => {
      ids += 1;
      return `${name}-${ids}`;
    },
    now: browser.now,
  });
  return { ask, rate, count, state: chat.getState, saved: browser.read, asked: () => asked };
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
      messageId: text,
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
    const chat = newChat(undefined, {
      stored: { sessionId: "s", begun: true },
      asked,
      readBack: async () => [said("1", "soy Ana, [teléfono]", true)],
    });
    const { ask, state } = chat;
    await state().restore();
    expect(ask).toHaveBeenCalledTimes(1);
    expect(ask.mock.lastCall?.[0]).toMatchObject({ messageId: "m", message: asked.text });
    expect(texts(state)).toEqual([welcome, asked.text, `eco: ${asked.text}`]);
    expect(chat.asked()).toBeUndefined();
  });

  it("does not ask again for an answer that came after all", async () => {
    const chat = newChat(undefined, {
      stored: { sessionId: "s", begun: true },
      asked: { id: "m", text: "hola" },
      readBack: async () => [said("1", "hola", true), said("2", "¡Hola!", false)],
    });
    await chat.state().restore();
    expect(chat.ask).not.toHaveBeenCalled();
    expect(chat.asked()).toBeUndefined();
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

describe("in several tabs", () => {
  const texts = ({ state }: ReturnType<typeof newChat>) => state().messages.map(({ text }) => text);
  const settled = () => vi.advanceTimersByTimeAsync(0);

  /** Two tabs of a browser; each answer comes when it is let. */
  function twoTabs(stored?: StoredChat) {
    const browser = newBrowser(stored);
    const waiting: (() => void)[] = [];
    const answer: Answer = async ({ message }) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return `eco: ${message}`;
    };
    const one = newChat(answer, { browser, name: "one" });
    const two = newChat(answer, { browser, name: "two" });
    const next = async () => {
      await settled();
      waiting.shift()?.();
      await settled();
    };
    return { browser, one, two, next };
  }

  it("what is said in one stands in the other, which waits with it", async () => {
    const { one, two, next } = twoTabs();
    one.state().send("hola");
    await settled();
    expect(texts(two)).toEqual([welcome, "hola"]);
    expect(two.state().pending).toBe(true);
    await two.state().send("¿y yo?");
    expect(two.ask).not.toHaveBeenCalled();
    await next();
    expect(texts(two)).toEqual([welcome, "hola", "eco: hola"]);
    expect(two.state()).toMatchObject({ pending: false, unread: false });
    two.state().send("gracias");
    await next();
    expect(texts(one)).toEqual(texts(two));
    expect(two.ask.mock.lastCall?.[0].sessionId).toBe(one.ask.mock.lastCall?.[0].sessionId);
    expect(two.ask.mock.lastCall?.[0].conversationHistory).toHaveLength(2);
  });

  it("both that write at once are answered one after the other, in one order", async () => {
    const { one, two, next } = twoTabs();
    one.state().send("uno");
    two.state().send("dos");
    await settled();
    expect(one.ask).toHaveBeenCalledTimes(1);
    expect(two.ask).not.toHaveBeenCalled();
    await next();
    await next();
    const order = [welcome, "uno", "eco: uno", "dos", "eco: dos"];
    expect(texts(one)).toEqual(order);
    expect(texts(two)).toEqual(order);
    expect(one.state().pending || two.state().pending).toBe(false);
  });

  it("a question whose tab was closed can be repeated in the other", async () => {
    const browser = newBrowser();
    // Its turn ends with it.
    const closing = newChat(() => Promise.reject(new Error("closed")), {
      browser: { ...browser, tabs: () => ({ ...browser.tabs(), tell }) },
      name: "one",
    });
    const two = newChat(undefined, { browser, name: "two" });
    const sending = browser.tabs();
    function tell(told: Parameters<Tabs["tell"]>[0]) {
      if (told.news.kind === "asking" || told.news.kind === "said") {
        if (told.news.kind === "said" && told.news.message.local) return;
        sending.tell(told);
      }
    }
    await closing.state().send("hola");
    await settled();
    expect(two.state().unanswered?.text).toBe("hola");
    await two.state().retry();
    expect(two.ask.mock.lastCall?.[0].messageId).toBe(closing.ask.mock.lastCall?.[0].messageId);
    expect(texts(two)).toEqual([welcome, "hola", "eco: hola"]);
  });

  it("what failed in one can be repeated in the other", async () => {
    const browser = newBrowser();
    const one = newChat(refuse(503), { browser, name: "one" });
    const two = newChat(undefined, { browser, name: "two" });
    await one.state().send("hola");
    expect(two.state().unanswered?.text).toBe("hola");
    await two.state().retry();
    expect(texts(one)).toEqual([welcome, "hola", difficulties, "eco: hola"]);
    expect(one.state().unanswered).toBeUndefined();
  });

  it("a tab that comes later shows nothing twice", async () => {
    const { browser, one, next } = twoTabs();
    one.state().send("hola");
    await settled();
    const id = `${one.ask.mock.lastCall?.[0].messageId}`;
    const timestamp = "2027-01-01T00:00:00Z"; // a server whose clock is ahead
    const late = newChat(undefined, {
      browser,
      name: "late",
      readBack: async () => [{ id: "1", messageId: id, text: "hola", isUser: true, timestamp }],
    });
    browser.write({ ...browser.read(), sessionId: `${browser.read()?.sessionId}`, begun: true });
    const restoring = late.state().restore();
    await next();
    await restoring;
    expect(texts(late)).toEqual([welcome, "hola", "eco: hola"]);
  });

  it("a tab that was told before it could read back shows nothing twice", async () => {
    const browser = newBrowser({ sessionId: "s", begun: true });
    const one = newChat(undefined, { browser, name: "one" });
    const stored: { id: string; messageId: string; text: string; isUser: boolean }[] = [];
    const two = newChat(undefined, {
      browser,
      name: "two",
      readBack: async () => stored.map((line) => ({ ...line, timestamp: "2026-11-20T15:00:00Z" })),
    });
    await one.state().send("hola");
    const messageId = `${one.ask.mock.lastCall?.[0].messageId}`;
    stored.push(
      { id: "1", messageId: "before", text: "antes", isUser: true },
      { id: "2", messageId, text: "hola", isUser: true },
      { id: "3", messageId, text: "eco: hola", isUser: false },
    );
    await two.state().restore();
    expect(texts(two)).toEqual([welcome, "antes", "hola", "eco: hola"]);
  });

  it("another conversation begins in all, and a rating is seen in all", async () => {
    const { one, two, next } = twoTabs();
    one.state().send("hola");
    await next();
    await two.state().rate(two.state().messages.at(-1) as ChatMessage, "positive");
    expect(one.state().messages.at(-1)?.rating).toBe("positive");
    two.state().beginAnew();
    expect(texts(one)).toEqual(texts(two));
    one.state().send("otra");
    await next();
    expect(one.ask.mock.lastCall?.[0].sessionId).toBe(two.saved()?.sessionId);
    expect(one.ask.mock.lastCall?.[0].conversationHistory).toEqual([]);
  });

  it("what was erased in one begins anew in all, once", async () => {
    const { one, two, next } = twoTabs();
    one.state().send("hola");
    await next();
    const erased = one.state().sessions();
    one.state().forget();
    const begun = one.saved()?.sessionId;
    two.state().forget(erased);
    expect(texts(two)).toEqual([welcome]);
    expect(two.saved()?.sessionId).toBe(begun);
  });

  it("opens itself once in a visit, and counts it once", () => {
    const { browser, one, two } = twoTabs();
    one.state().countVisit();
    two.state().countVisit();
    one.state().openItself();
    two.state().pulse();
    two.state().openItself();
    expect(two.state()).toMatchObject({ open: false, pulsing: false });
    expect(two.count).not.toHaveBeenCalled();
    browser.wait(visitPause);
    const next = newChat(undefined, { browser, name: "next" });
    next.state().countVisit();
    next.state().openItself();
    expect(next.state().open).toBe(true);
    expect(next.count.mock.calls[0]?.[0].sessionId).not.toBe(
      one.count.mock.calls[0]?.[0].sessionId,
    );
  });

  it("opens itself never again after the visitor has closed it", () => {
    const { browser, one } = twoTabs();
    one.state().openItself();
    one.state().toggle();
    browser.wait(100 * visitPause);
    const next = newChat(undefined, { browser });
    next.state().openItself();
    expect(next.state().open).toBe(false);
  });

  it("goes on in the next visit where it was begun", async () => {
    const { browser, one, next } = twoTabs();
    one.state().send("hola");
    await next();
    browser.wait(visitPause);
    const readBack = vi.fn(async () => []);
    const later = newChat(undefined, { browser, name: "later", readBack });
    await later.state().restore();
    await later.state().send("sigo");
    expect(later.ask.mock.lastCall?.[0].sessionId).toBe(one.ask.mock.lastCall?.[0].sessionId);
  });
});
