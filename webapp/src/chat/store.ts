import { createStore } from "zustand";
import type { Schemas } from "../api/client";
import { ApiError } from "../api/errors";
import { chatTexts } from "../content/chat";
import { fill } from "../content/fill";

/** How long after the page has loaded the button draws attention to itself, in milliseconds. */
export const pulseDelay = 3000;
/** How long after the page has loaded the panel opens itself, in milliseconds. */
export const openDelay = 5000;
/** How long the limit message can be read before the panel closes, in milliseconds. */
export const limitCloseDelay = 3000;

/** Turns of the conversation that a request repeats at most; its body stays small. */
const historyLength = 20;

/** One bubble. What the client says on its own behalf belongs to no conversation. */
export interface ChatMessage {
  readonly id: string;
  readonly text: string;
  readonly isUser: boolean;
  readonly timestamp: Date;
  readonly local?: boolean;
}

interface ChatState {
  readonly open: boolean;
  /** The visitor, or the widget itself, has opened or closed the panel before. */
  readonly settled: boolean;
  /** The panel is open because it opened itself. */
  readonly openedItself: boolean;
  readonly pulsing: boolean;
  readonly messages: readonly ChatMessage[];
  readonly pending: boolean;
  /** The message whose answer failed and may be asked for again. */
  readonly unanswered: ChatMessage | undefined;
  /** What the panel said when it closed itself. */
  readonly notice: string | undefined;

  toggle(): void;
  /** The button draws attention, unless the panel was used already. */
  pulse(): void;
  /** The panel opens itself, once, unless it was used already. */
  openItself(): void;
  /** Sends a message; does nothing with an empty one or while a reply is pending. */
  send(text: string): Promise<void>;
  /** Asks again for the answer that failed, under the same message id. */
  retry(): Promise<void>;
  dismissNotice(): void;
}

/** What the chat needs from outside. */
export interface ChatSurroundings {
  readonly ask: (request: Schemas["ChatRequest"]) => Promise<string>;
  readonly newId: () => string;
  readonly now: () => Date;
}

/** Whether the error says that the month's conversations are used up. */
function isLimit(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  if (error.status === 429) return true;
  try {
    const body: unknown = JSON.parse(error.body);
    return typeof body === "object" && body !== null && "limitReached" in body
      ? body.limitReached === true
      : false;
  } catch {
    return false;
  }
}

function historyOf(messages: readonly ChatMessage[]): Schemas["ChatTurn"][] {
  return messages
    .filter((message) => !message.local)
    .slice(-historyLength)
    .map(({ text, isUser }) => ({ role: isUser ? "user" : "assistant", content: text }));
}

/** The chat of one visit. */
export function createChat({ ask, newId, now }: ChatSurroundings) {
  const sessionId = newId();
  const bubble = (text: string, more?: Partial<ChatMessage>): ChatMessage => ({
    id: newId(),
    text,
    isUser: false,
    timestamp: now(),
    ...more,
  });

  return createStore<ChatState>()((set, get) => {
    const say = (message: ChatMessage) =>
      set(({ messages }) => ({ messages: [...messages, message] }));

    const closeAtLimit = () => {
      say(bubble(chatTexts.limit, { local: true }));
      setTimeout(
        () => set({ open: false, settled: true, notice: chatTexts.limit }),
        limitCloseDelay,
      );
    };

    const exchange = async (question: ChatMessage, before: readonly ChatMessage[]) => {
      set({ pending: true, unanswered: undefined });
      try {
        const response = await ask({
          message: question.text,
          conversationHistory: historyOf(before),
          sessionId,
          messageId: question.id,
        });
        say(bubble(response));
      } catch (error) {
        if (isLimit(error)) {
          closeAtLimit();
        } else {
          say(bubble(fill(chatTexts.difficulties), { local: true }));
          set({ unanswered: question });
        }
      } finally {
        set({ pending: false });
      }
    };

    return {
      open: false,
      settled: false,
      openedItself: false,
      pulsing: false,
      messages: [bubble(fill(chatTexts.welcome), { local: true })],
      pending: false,
      unanswered: undefined,
      notice: undefined,

      toggle: () =>
        set(({ open }) => ({
          open: !open,
          settled: true,
          openedItself: false,
          pulsing: false,
          notice: undefined,
        })),

      pulse: () => set(({ settled }) => ({ pulsing: !settled })),

      openItself: () =>
        set(({ settled }) =>
          settled ? {} : { open: true, settled: true, openedItself: true, pulsing: false },
        ),

      async send(text) {
        const message = text.trim();
        const { pending, messages } = get();
        if (!message || pending) return;
        const question = bubble(message, { isUser: true });
        say(question);
        await exchange(question, messages);
      },

      async retry() {
        const { pending, unanswered, messages } = get();
        if (!unanswered || pending) return;
        await exchange(unanswered, messages.slice(0, messages.indexOf(unanswered)));
      },

      dismissNotice: () => set({ notice: undefined }),
    };
  });
}
