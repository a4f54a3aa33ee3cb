import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { chatTexts } from "../content/chat";
import type { ChatMessage } from "./state";
import { newChat } from "./storeChat";

const welcome = chatTexts.welcome;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
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
