import { createStore } from "zustand";
import type { Schemas } from "../api/client";
import { ApiError } from "../api/errors";
import { chatTexts } from "../content/chat";
import { folded } from "../content/folded";
import type { ChatDependencies, ChatMessage, ChatState, Stored } from "./state";
import type { StoredChat } from "./storage";
import type { News } from "./tabs";

/** How long after the page has loaded the button draws attention to itself, in milliseconds. */
export const pulseDelay = 3000;
/** How long after the page has loaded the panel opens itself, in milliseconds. */
export const openDelay = 5000;
/** How long the limit message can be read before the panel closes, in milliseconds. */
export const limitCloseDelay = 3000;

/** How long after the last look at a page the next one is another visit, in milliseconds. */
export const visitPause = 30 * 60 * 1000;

/** How many earlier conversations are read back at most. */
const earlierKept = 5;

/** Turns of the conversation that a request repeats at most; its body stays small. */
const historyLength = 20;

/** Whether the error says that the month's conversations are used up. */
function isLimit(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  if (error.status === 429) return true;
  try {
    return JSON.parse(error.body)?.limitReached === true;
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

/** The reply to a message has the same id in every tab, however it came there. */
const replyId = (messageId: string) => `${messageId}-reply`;

/** The letters of a text, without accents and capitals. */
const plain = (text: string) =>
  folded(text)
    .replace(/[^\p{L}\s]/gu, "")
    .trim();

/** The chat of one visit, the same in all tabs of the browser. */
export function createChat(dependencies: ChatDependencies) {
  const { ask, explain, rate, readBack, count, storage, tabs, newId, now } = dependencies;
  const saved = () => storage.read() ?? { sessionId: newId() };
  const save = (changes: Partial<StoredChat>) =>
    storage.write({ ...saved(), seenAt: now().getTime(), ...changes });

  /** What was begun goes on in another visit; all else begins anew with it. */
  const beginVisit = () => {
    const { seenAt, begun } = storage.read() ?? {};
    const over = seenAt !== undefined && now().getTime() - seenAt >= visitPause;
    if (!over) save({});
    else if (begun || storage.readAsked()) save({ opened: false, counted: false });
    else save({ sessionId: newId(), opened: false, counted: false });
  };
  beginVisit();

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
    const { begun, earlier, sessionId } = saved();
    if (opened.has(openedBy) || begun || earlier) return;
    opened.add(openedBy);
    count({ sessionId, openedBy });
  };
  const isSettled = () => {
    const chat = saved();
    return Boolean(chat.settled || chat.opened);
  };

  return createStore<ChatState>()((set, get) => {
    /** The sessions that this tab has shown. */
    const shown = new Set<string>();
    const sessions = () => {
      const { earlier = [], sessionId } = saved();
      const all = [...earlier, sessionId];
      for (const id of all) shown.add(id);
      return all;
    };
    sessions();
    const tell = (news: News) => tabs.tell({ sessions: sessions(), news });

    /** Puts a bubble where its time belongs, or in the place of the same one. */
    const place = (message: ChatMessage) =>
      set(({ messages: all }) => {
        const same = all.find(({ id }) => id === message.id);
        if (same?.restored || same?.timestamp.getTime() === message.timestamp.getTime()) {
          const { restored = false, timestamp } = same;
          const changed = { ...message, restored, timestamp };
          return { messages: all.map((one) => (one === same ? changed : one)) };
        }
        const messages = all.filter((one) => one !== same);
        const before = messages.findLastIndex(
          ({ restored, timestamp }, index) =>
            index === 0 || restored || timestamp <= message.timestamp,
        );
        return {
          messages: [...messages.slice(0, before + 1), message, ...messages.slice(before + 1)],
        };
      });
    const append = (message: ChatMessage) => {
      place(message);
      if (!get().open && !message.isUser) set({ unread: true });
      tell({ kind: "said", message });
    };

    const divider = () => bubble(chatTexts.newConversation.begun, { local: true, begins: true });

    const closeAtLimit = () => {
      append(bubble(chatTexts.limit, { local: true }));
      setTimeout(
        () => set({ open: false, settled: true, unread: false, notice: chatTexts.limit }),
        limitCloseDelay,
      );
    };

    /** Whether this tab awaits an answer, and not another one. */
    let asking = false;

    const exchange = async (question: ChatMessage, renewed = false): Promise<void> => {
      const { messages } = get();
      const before = messages.slice(
        0,
        messages.findIndex(({ id }) => id === question.id),
      );
      const { sessionId } = saved();
      const request = {
        message: question.text,
        conversationHistory: renewed ? [] : historyOf(before),
        sessionId,
        messageId: question.id,
      };
      try {
        const { response, messageId, action, suggestions, calendar } = await ask(request, {
          onPart: (partial) => set({ partial, reconnecting: false }),
          onReconnect: () => set({ partial: undefined, reconnecting: true }),
        });
        save({ begun: true });
        storage.writeAsked(undefined);
        const stored = messageId && { id: replyId(question.id), replyTo: messageId, sessionId };
        append(bubble(response, { action, suggestions, calendar, ...stored }));
      } catch (error) {
        const erased = isOver(error, 410);
        if ((erased || isOver(error, 403)) && !renewed) {
          if (erased) {
            get().forget([sessionId]);
            append({ ...question, timestamp: now() });
          } else {
            save({ sessionId: newId(), begun: false });
            append(bubble(chatTexts.renewed, { local: true }));
          }
          await exchange(question, true);
        } else if (isLimit(error)) {
          storage.writeAsked(undefined);
          closeAtLimit();
        } else {
          append(bubble(explain(error), { local: true }));
          set({ unanswered: question });
        }
      }
    };

    /** Asks once no other tab does, so that what two of them say keeps one order. */
    const takeTurn = async (question: ChatMessage): Promise<void> => {
      asking = true;
      set({ pending: true, unanswered: undefined });
      storage.writeAsked({ id: question.id, text: question.text });
      try {
        await tabs.alone(async () => {
          const { messages } = get();
          const later = messages.slice(messages.findIndex(({ id }) => id === question.id) + 1);
          // Another tab was quicker.
          if (later.some(({ isUser }) => isUser)) append({ ...question, timestamp: now() });
          tell({ kind: "asking", question });
          await exchange(question);
          tell({ kind: "asked", unanswered: get().unanswered });
        });
      } finally {
        asking = false;
        set({ pending: false, partial: undefined, reconnecting: false });
      }
    };

    /** Another tab awaits an answer. Where it was closed meanwhile, the question can be repeated. */
    const awaitOther = async (question: ChatMessage): Promise<void> => {
      if (asking) return;
      set({ pending: true, unanswered: undefined });
      await tabs.alone(async () => undefined);
      if (asking || !get().pending) return;
      const answered = get().messages.some(({ replyTo }) => replyTo === question.id);
      set({ pending: false, unanswered: answered ? undefined : question });
    };

    tabs.listen(({ sessions: theirs, news }) => {
      if (!sessions().some((id) => theirs.includes(id))) return;
      if (news.kind === "asking") {
        awaitOther(news.question);
      } else if (news.kind === "asked") {
        if (!asking) set({ pending: false, unanswered: news.unanswered });
      } else {
        place(news.message);
        const { unanswered } = get();
        if (unanswered && news.message.replyTo === unanswered.id) set({ unanswered: undefined });
      }
    });

    const bubblesOf = (sessionId: string, stored: Stored = []): ChatMessage[] =>
      stored.map(({ id, messageId, text, timestamp, ...told }) =>
        bubble(text, {
          ...told,
          id: messageId ? (told.isUser ? messageId : replyId(messageId)) : `${sessionId}-${id}`,
          ...(messageId && !told.isUser && { replyTo: messageId, sessionId }),
          timestamp: new Date(timestamp),
          restored: true,
        }),
      );

    let restored = false;

    /** Goes on where the page was left: with the question whose answer had not come. */
    const resume = async (earlier: readonly ChatMessage[], said: readonly ChatMessage[]) => {
      const asked = storage.readAsked();
      const last = said.at(-1);
      const open = asked && (!last || last.isUser) ? asked : undefined;
      const before = open ? said.filter((message) => message !== last) : said;
      const question = open && bubble(open.text, { isUser: true, id: open.id });
      set(({ messages: [welcome, ...since] }) => {
        // What was said since may have been read back already.
        const known = new Set(since.map(({ id }) => id));
        const read = [...earlier, ...before].filter(({ id }) => !known.has(id));
        return { messages: [...(welcome ? [welcome] : []), ...read, ...since] };
      });
      if (!asking && !question) storage.writeAsked(undefined);
      if (asking || !question) return;
      append(question);
      await takeTurn(question);
    };

    return {
      open: false,
      settled: isSettled(),
      openedItself: false,
      pulsing: false,
      messages: [bubble(chatTexts.welcome, { local: true })],
      pending: false,
      partial: undefined,
      reconnecting: false,
      unread: false,
      unanswered: undefined,
      notice: undefined,

      countVisit() {
        const { counted, begun, sessionId } = saved();
        if (counted) return;
        save({ counted: true });
        // What was begun in another visit counts for that one.
        count({ sessionId: begun ? newId() : sessionId });
      },

      seen: () => save({}),

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

      pulse: () => set({ pulsing: !isSettled() && !get().open }),

      openItself() {
        if (isSettled()) return;
        save({ opened: true });
        countOpening("auto");
        set({ open: true, settled: true, openedItself: true, pulsing: false, unread: false });
      },

      send(text) {
        const message = text.trim();
        if (!message || get().pending) return undefined;
        if (saved().begun && plain(message) === plain(chatTexts.newConversation.begin)) {
          get().beginAnew();
          return Promise.resolve();
        }
        const question = bubble(message, { isUser: true });
        append(question);
        return takeTurn(question);
      },

      show() {
        if (get().openedItself) get().engage();
        else if (!get().open) get().toggle();
      },

      book() {
        get().show();
        void get().send(chatTexts.booking);
      },

      beginAnew() {
        const { sessionId, earlier = [], begun } = saved();
        if (get().pending || !begun) return;
        save({
          sessionId: newId(),
          earlier: [...earlier, sessionId].slice(-earlierKept),
          begun: false,
        });
        storage.writeAsked(undefined);
        set({ unanswered: undefined });
        append(divider());
      },

      async retry() {
        const { pending, unanswered } = get();
        if (!unanswered || pending) return;
        await takeTurn(unanswered);
      },

      async restore() {
        const { begun, sessionId, earlier = [] } = saved();
        const asked = storage.readAsked();
        const begins = begun || asked !== undefined;
        if (restored || (!begins && earlier.length === 0)) return;
        let stored: Stored | undefined;
        let before: ChatMessage[];
        try {
          const all = await Promise.all(earlier.map(readBack));
          before = earlier.flatMap((id, i) =>
            all[i] ? [...bubblesOf(id, all[i]), { ...divider(), restored: true }] : [],
          );
          stored = begins ? await readBack(sessionId) : [];
        } catch {
          // Without a connection; it is tried again when there is one.
          return;
        }
        if (restored) return;
        restored = true;
        // Meanwhile the visitor may have written something.
        const untouched = get().messages.length === 1;
        if (!stored && !asked && untouched) save({ sessionId: newId(), begun: false });
        await resume(before, bubblesOf(sessionId, stored));
      },

      async rate({ id, replyTo, sessionId, ...before }, pressed, wrong) {
        if (!replyTo || !sessionId) return;
        const rating = wrong || pressed !== before.rating ? pressed : undefined;
        const reason = wrong === before.ratingReason ? undefined : wrong;
        const show = (shown: Pick<ChatMessage, "rating" | "ratingReason">) => {
          const rated = get().messages.find((one) => one.id === id);
          if (!rated) return;
          const message = { ...rated, ...shown };
          place(message);
          tell({ kind: "said", message });
        };
        show({ rating, ratingReason: reason });
        try {
          await rate({
            sessionId,
            messageId: replyTo,
            rating: rating ?? "none",
            ...(reason && { reason }),
          });
        } catch {
          show({ rating: before.rating, ratingReason: before.ratingReason });
        }
      },

      dismissNotice: () => set({ notice: undefined }),

      sessions,

      forget(erased) {
        const gone = new Set(erased ?? shown);
        const { earlier = [], sessionId } = saved();
        const kept = [...earlier, sessionId].some((id) => gone.has(id));
        if (!kept && ![...shown].some((id) => gone.has(id))) return;
        // Another tab may have begun anew already.
        if (kept) save({ sessionId: newId(), earlier: [], begun: false });
        shown.clear();
        sessions();
        storage.writeAsked(undefined);
        set(({ messages }) => ({ messages: messages.slice(0, 1), unanswered: undefined }));
        const suggestions = chatTexts.quickReplies.items;
        place(bubble(chatTexts.erased, { local: true, suggestions }));
      },
    };
  });
}
