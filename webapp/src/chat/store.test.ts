import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Schemas } from "../api/client";
import { ApiError } from "../api/errors";
import { chatTexts } from "../content/chat";
import { fill } from "../content/fill";
import { createChat, limitCloseDelay } from "./store";

const welcome = fill(chatTexts.welcome);
const difficulties = fill(chatTexts.difficulties);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

type Answer = (request: Schemas["ChatRequest"]) => Promise<string>;

function newChat(answer: Answer = async ({ message }) => `eco: ${message}`) {
  let ids = 0;
  const ask = vi.fn(answer);
  const chat = createChat({
    ask,
    newId: () => {
      ids += 1;
      return `id-${ids}`;
    },
    now: () => new Date("2026-11-20T15:00:00Z"),
  });
  return { ask, state: chat.getState };
}

const refuse =
  (status: number, body = "") =>
  async () => {
    throw new ApiError("Failed to fetch chatbot response", status, body);
  };

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
    const [[first], [second]] = ask.mock.calls as [
      [Schemas["ChatRequest"]],
      [Schemas["ChatRequest"]],
    ];
    expect(first).toMatchObject({ message: "hola", conversationHistory: [] });
    expect(second.conversationHistory).toEqual([
      { role: "user", content: "hola" },
      { role: "assistant", content: "eco: hola" },
    ]);
    expect(second.sessionId).toBe(first.sessionId);
    expect(second.messageId).not.toBe(first.messageId);
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
    const [[first], [second]] = ask.mock.calls as [
      [Schemas["ChatRequest"]],
      [Schemas["ChatRequest"]],
    ];
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
