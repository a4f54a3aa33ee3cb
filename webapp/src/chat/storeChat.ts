import { vi } from "vitest";
import { ApiError } from "../api/errors";
import { chatTexts } from "../content/chat";
import type { ChatDependencies } from "./state";
import type { Asked, StoredChat } from "./storage";
import { createChat } from "./store";
import type { Tabs } from "./tabs";

export type Answer = (...asked: Parameters<ChatDependencies["ask"]>) => Promise<string>;

interface Given {
  readonly stored?: StoredChat | undefined;
  readonly asked?: Asked | undefined;
  readonly readBack?: ChatDependencies["readBack"];
  /** Tabs of the browser that this one belongs to. */
  readonly browser?: ReturnType<typeof newBrowser>;
  readonly name?: string;
}

export const start = Date.parse("2026-11-20T15:00:00Z");

/** What the tabs of a browser share: what is kept, their news, one turn at a time, a clock. */
export function newBrowser(stored?: StoredChat) {
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

export function newChat(
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
    explain: () => chatTexts.difficulties,
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

export const refuse =
  (status: number, body = "") =>
  async () => {
    throw new ApiError("Failed to fetch chatbot response", status, body);
  };
