import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { chatTexts } from "../content/chat";
import type { ChatMessage } from "./state";
import type { StoredChat } from "./storage";
import { visitPause } from "./store";
import { type Answer, newBrowser, newChat, refuse } from "./storeChat";
import type { Tabs } from "./tabs";

const welcome = chatTexts.welcome;
const difficulties = chatTexts.difficulties;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
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
    expect(texts(two)).toEqual([welcome, chatTexts.erased]);
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
