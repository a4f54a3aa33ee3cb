import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "../api/errors";
import { chatTexts } from "../content/chat";
import type { ChatMessage } from "./state";
import { limitCloseDelay } from "./store";
import { newChat, refuse } from "./storeChat";

const welcome = chatTexts.welcome;
const difficulties = chatTexts.difficulties;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

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

  it("keeps what is wrong with an answer until the answer is rated otherwise", async () => {
    const { state, rate } = newChat();
    await state().send("Hola");
    await state().rate(last(state), "negative");
    await state().rate(last(state), "negative", "incomplete");
    expect(last(state)).toMatchObject({ rating: "negative", ratingReason: "incomplete" });
    await state().rate(last(state), "negative", "incorrect");
    await state().rate(last(state), "negative", "incorrect");
    expect(last(state)).toMatchObject({ rating: "negative", ratingReason: undefined });
    await state().rate(last(state), "negative", "unrelated");
    rate.mockRejectedValueOnce(new ApiError("503", 503, ""));
    await state().rate(last(state), "positive");
    expect(last(state)).toMatchObject({ rating: "negative", ratingReason: "unrelated" });
    await state().rate(last(state), "positive");
    expect(last(state)).toMatchObject({ rating: "positive", ratingReason: undefined });
    const sent = rate.mock.calls.map(([body]) => body as { rating: string; reason?: string });
    expect(sent.map(({ rating, reason }) => `${rating} ${reason}`)).toEqual([
      "negative undefined",
      "negative incomplete",
      "negative incorrect",
      "negative undefined",
      "negative unrelated",
      "positive undefined",
      "positive undefined",
    ]);
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
        {
          id: "2",
          messageId: "m1",
          text: "Eco",
          isUser: false,
          rating: "negative",
          ratingReason: "unrelated",
          timestamp,
        },
      ],
    });
    await state().restore();
    expect(last(state)).toMatchObject({
      replyTo: "m1",
      rating: "negative",
      ratingReason: "unrelated",
    });
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
    expect(state().messages.map(({ text }) => text)).toEqual([welcome, chatTexts.erased]);
    expect(state().messages.at(-1)?.suggestions).toEqual(chatTexts.quickReplies.items);
    expect(saved()).toMatchObject({ earlier: [], begun: false });
    expect(saved()?.sessionId).not.toBe("s");
    await state().send("hola");
    state().forget();
    expect(state().messages).toHaveLength(2);
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
