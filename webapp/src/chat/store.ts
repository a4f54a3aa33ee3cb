import { createStore } from "zustand";
import type { Schemas } from "../api/client";
import { ApiError } from "../api/errors";
import { chatTexts } from "../content/chat";
import { fill } from "../content/fill";
import { folded } from "../content/folded";
import type { ChatStorage, StoredVisit } from "./storage";

/** How long after the page has loaded the button draws attention to itself, in milliseconds. */
export const pulseDelay = 3000;
/** How long after the page has loaded the panel opens itself, in milliseconds. */
export const openDelay = 5000;
/** How long the limit message can be read before the panel closes, in milliseconds. */
export const limitCloseDelay = 3000;

/** How many earlier conversations of the visit are read back at most. */
const earlierKept = 5;

/** Turns of the conversation that a request repeats at most; its body stays small. */
const historyLength = 20;

/** One bubble. What the client says on its own behalf belongs to no conversation. */
export interface ChatMessage {
  readonly id: string;
  readonly text: string;
  readonly isUser: boolean;
  readonly timestamp: Date;
  readonly local?: boolean;
  /** The stored message that it answers; only such an answer can be rated. */
  readonly replyTo?: string;
  readonly rating?: Rating | undefined;
  /** The conversation of such an answer. */
  readonly sessionId?: string;
  /** What the answer offers to do. */
  readonly action?: Schemas["ChatAction"] | undefined;
  /** What can be answered to it by pressing. */
  readonly suggestions?: Schemas["ChatSuggestions"] | undefined;
  /** Another conversation begins here. */
  readonly begins?: boolean;
}

type Rating = Schemas["Rating"];
type Stored = readonly Schemas["ChatMessage"][];

interface ChatState {
  readonly open: boolean;
  /** The visitor, or the widget itself, has opened or closed the panel before. */
  readonly settled: boolean;
  /** The panel is open because it opened itself. */
  readonly openedItself: boolean;
  readonly pulsing: boolean;
  readonly messages: readonly ChatMessage[];
  readonly pending: boolean;
  /** As much of the answer as has arrived. */
  readonly partial: string | undefined;
  /** The connection was lost while the answer arrived, and the answer is asked for again. */
  readonly reconnecting: boolean;
  /** An answer came while the panel was closed. */
  readonly unread: boolean;
  /** The message whose answer failed and may be asked for again. */
  readonly unanswered: ChatMessage | undefined;
  /** What the panel said when it closed itself. */
  readonly notice: string | undefined;

  /** The visitor sees the page. */
  countVisit(): void;
  toggle(): void;
  /** The button draws attention, unless the panel was used already. */
  pulse(): void;
  /** The panel opens itself, once, unless it was used already. */
  openItself(): void;
  /** The visitor turns to a panel that had opened itself. */
  engage(): void;
  /** Sends a message; does nothing with an empty one or while a reply is pending. */
  send(text: string): Promise<void>;
  /** Opens the panel and asks for an appointment, in the visitor's words. */
  book(): void;
  /** Begins another conversation; what was said stays in sight. */
  beginAnew(): void;
  /** Asks again for the answer that failed, under the same message id. */
  retry(): Promise<void>;
  /** Reads back what was said before the page was loaded anew. */
  restore(): Promise<void>;
  /** Says what an answer is worth; the same word again takes it back. */
  rate(message: ChatMessage, rating: Rating): Promise<void>;
  dismissNotice(): void;
  /** The conversations in sight, this one last. */
  sessions(): readonly string[];
  /** Conversations were erased, of some sessions or of all: where one is in sight, all begins anew. */
  forget(erased?: readonly string[]): void;
}

/** What happens while an answer is on its way. */
export interface Progress {
  /** `text` is all that has arrived. */
  onPart(text: string): void;
  onReconnect(): void;
}

/** The collaborators of the chat. */
export interface ChatDependencies {
  readonly ask: (
    request: Schemas["ChatRequest"],
    progress: Progress,
  ) => Promise<Schemas["ChatResponse"]>;
  /** Keeps what an answer was worth to the visitor. */
  readonly rate: (rating: Schemas["ReplyRating"]) => Promise<unknown>;
  /** Gives a conversation back; nothing if there is none that this browser may read. */
  readonly readBack: (sessionId: string) => Promise<readonly Schemas["ChatMessage"][] | undefined>;
  /** Reports a visit, or that the panel was opened in it. */
  readonly count: (visit: Schemas["Visit"]) => void;
  readonly storage: ChatStorage;
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

/** Whether the error says that the conversation goes on only where its cookie is, or was erased. */
function isOver(error: unknown, status: 403 | 410): boolean {
  return error instanceof ApiError && error.status === status;
}

function historyOf(messages: readonly ChatMessage[]): Schemas["ChatTurn"][] {
  return messages
    .slice(messages.findLastIndex(({ begins }) => begins) + 1)
    .filter((message) => !message.local)
    .slice(-historyLength)
    .map(({ text, isUser }) => ({ role: isUser ? "user" : "assistant", content: text }));
}

/** The letters of a text, without accents and capitals. */
const plain = (text: string) =>
  folded(text)
    .replace(/[^\p{L}\s]/gu, "")
    .trim();

/** The chat of one visit. */
export function createChat({ ask, rate, readBack, count, storage, newId, now }: ChatDependencies) {
  let saved = storage.read() ?? { sessionId: newId() };
  const save = (changes: Partial<StoredVisit>) => {
    saved = { ...saved, ...changes };
    storage.write(saved);
  };
  const bubble = (text: string, more?: Partial<ChatMessage>): ChatMessage => ({
    id: newId(),
    text,
    isUser: false,
    timestamp: now(),
    ...more,
  });

  /** The ways of opening that were reported. */
  const opened = new Set<string>();
  const countOpening = (openedBy: "visitor" | "auto") => {
    if (opened.has(openedBy) || saved.begun || saved.earlier) return;
    opened.add(openedBy);
    count({ sessionId: saved.sessionId, openedBy });
  };

  return createStore<ChatState>()((set, get) => {
    const append = (message: ChatMessage) =>
      set(({ messages, open, unread }) => ({
        messages: [...messages, message],
        unread: unread || (!open && !message.isUser),
      }));

    const divider = () => bubble(chatTexts.newConversation.begun, { local: true, begins: true });

    const closeAtLimit = () => {
      append(bubble(chatTexts.limit, { local: true }));
      setTimeout(
        () => set({ open: false, settled: true, unread: false, notice: chatTexts.limit }),
        limitCloseDelay,
      );
    };

    const exchange = async (
      question: ChatMessage,
      before: readonly ChatMessage[],
      renewed = false,
    ): Promise<void> => {
      set({ pending: true, unanswered: undefined });
      save({ asked: { id: question.id, text: question.text } });
      const request = {
        message: question.text,
        conversationHistory: historyOf(before),
        sessionId: saved.sessionId,
        messageId: question.id,
      };
      try {
        const { response, messageId, action, suggestions } = await ask(request, {
          onPart: (partial) => set({ partial, reconnecting: false }),
          onReconnect: () => set({ partial: undefined, reconnecting: true }),
        });
        save({ begun: true, asked: undefined });
        const { sessionId } = request;
        const stored = messageId && { replyTo: messageId, sessionId };
        append(bubble(response, { action, suggestions, ...stored }));
      } catch (error) {
        const erased = isOver(error, 410);
        if ((erased || isOver(error, 403)) && !renewed) {
          if (erased) get().forget();
          else save({ sessionId: newId(), begun: false });
          append(bubble(erased ? chatTexts.erased : chatTexts.renewed, { local: true }));
          if (erased) append(question);
          await exchange(question, [], true);
        } else if (isLimit(error)) {
          save({ asked: undefined });
          closeAtLimit();
        } else {
          append(bubble(fill(chatTexts.difficulties), { local: true }));
          set({ unanswered: question });
        }
      } finally {
        set({ pending: false, partial: undefined, reconnecting: false });
      }
    };

    const bubblesOf = (sessionId: string, stored: Stored = []): ChatMessage[] =>
      stored.map(({ id, messageId, text, isUser, rating, action, suggestions, timestamp }) =>
        bubble(text, {
          id: `${sessionId}-${id}`,
          isUser,
          rating,
          action,
          suggestions,
          ...(messageId && !isUser && { replyTo: messageId, sessionId }),
          timestamp: new Date(timestamp),
        }),
      );

    /** Goes on where the page was left: with the question whose answer had not come. */
    const resume = async (earlier: readonly ChatMessage[], said: readonly ChatMessage[]) => {
      const { asked } = saved;
      const last = said.at(-1);
      const open = asked && (!last || last.isUser) ? asked : undefined;
      const before = open ? said.filter((message) => message !== last) : said;
      const question = open && bubble(open.text, { isUser: true, id: open.id });
      const [welcome] = get().messages;
      const start = [...(welcome ? [welcome] : []), ...earlier, ...before];
      set({ messages: question ? [...start, question] : start });
      if (question) await exchange(question, start);
      else save({ asked: undefined });
    };

    return {
      open: false,
      settled: saved.settled ?? false,
      openedItself: false,
      pulsing: false,
      messages: [bubble(fill(chatTexts.welcome), { local: true })],
      pending: false,
      partial: undefined,
      reconnecting: false,
      unread: false,
      unanswered: undefined,
      notice: undefined,

      countVisit() {
        if (saved.counted) return;
        save({ counted: true });
        count({ sessionId: saved.sessionId });
      },

      toggle() {
        save({ settled: true });
        if (!get().open) countOpening("visitor");
        set(({ open }) => ({
          open: !open,
          settled: true,
          openedItself: false,
          pulsing: false,
          unread: false,
          notice: undefined,
        }));
      },

      engage() {
        if (get().openedItself) countOpening("visitor");
        set({ openedItself: false });
      },

      pulse: () => set(({ settled }) => ({ pulsing: !settled })),

      openItself() {
        if (get().settled) return;
        countOpening("auto");
        set({ open: true, settled: true, openedItself: true, pulsing: false, unread: false });
      },

      async send(text) {
        const message = text.trim();
        const { pending, messages } = get();
        if (!message || pending) return;
        if (saved.begun && plain(message) === plain(chatTexts.newConversation.begin)) {
          get().beginAnew();
          return;
        }
        const question = bubble(message, { isUser: true });
        append(question);
        await exchange(question, messages);
      },

      book() {
        if (get().openedItself) get().engage();
        else if (!get().open) get().toggle();
        void get().send(chatTexts.booking);
      },

      beginAnew() {
        if (get().pending || !saved.begun) return;
        const { sessionId, earlier = [] } = saved;
        save({
          sessionId: newId(),
          earlier: [...earlier, sessionId].slice(-earlierKept),
          begun: false,
          asked: undefined,
        });
        set({ unanswered: undefined });
        append(divider());
      },

      async retry() {
        const { pending, unanswered, messages } = get();
        if (!unanswered || pending) return;
        await exchange(unanswered, messages.slice(0, messages.indexOf(unanswered)));
      },

      async restore() {
        const { begun, asked, sessionId, earlier = [] } = saved;
        const begins = begun || asked !== undefined;
        if ((!begins && earlier.length === 0) || get().messages.length > 1) return;
        let stored: Stored | undefined;
        let before: ChatMessage[];
        try {
          const all = await Promise.all(earlier.map(readBack));
          before = earlier.flatMap((id, i) =>
            all[i] ? [...bubblesOf(id, all[i]), divider()] : [],
          );
          stored = begins ? await readBack(sessionId) : [];
        } catch {
          // Without a connection; it is tried again when there is one.
          return;
        }
        // Meanwhile the visitor may have written something.
        if (get().messages.length > 1) return;
        if (!stored && !asked) save({ sessionId: newId(), begun: false });
        await resume(before, bubblesOf(sessionId, stored));
      },

      async rate({ id, replyTo, sessionId, rating: before }, rating) {
        if (!replyTo || !sessionId) return;
        const after = rating === before ? undefined : rating;
        const show = (shown: Rating | undefined) =>
          set(({ messages }) => ({
            messages: messages.map((one) => (one.id === id ? { ...one, rating: shown } : one)),
          }));
        show(after);
        try {
          await rate({ sessionId, messageId: replyTo, rating: after ?? "none" });
        } catch {
          show(before);
        }
      },

      dismissNotice: () => set({ notice: undefined }),

      sessions: () => [...(saved.earlier ?? []), saved.sessionId],

      forget(erased) {
        if (
          erased &&
          !get()
            .sessions()
            .some((id) => erased.includes(id))
        )
          return;
        save({ sessionId: newId(), earlier: [], begun: false, asked: undefined });
        set(({ messages }) => ({ messages: messages.slice(0, 1), unanswered: undefined }));
      },
    };
  });
}
