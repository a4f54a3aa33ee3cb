import type { Schemas } from "../api/client";
import type { ChatStorage } from "./storage";
import type { Tabs } from "./tabs";

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
  readonly ratingReason?: RatingReason | undefined;
  /** The conversation of such an answer. */
  readonly sessionId?: string;
  /** What the answer offers to do. */
  readonly action?: Schemas["ChatAction"] | undefined;
  /** What can be answered to it by pressing. */
  readonly suggestions?: Schemas["ChatSuggestions"] | undefined;
  /** Where its appointment is as a file for a calendar. */
  readonly calendar?: Schemas["ChatCalendar"] | undefined;
  /** Another conversation begins here. */
  readonly begins?: boolean;
  /** It was read back: its time is the server's. */
  readonly restored?: boolean;
}

export type Rating = Schemas["Rating"];
export type RatingReason = Schemas["RatingReason"];
export type Stored = readonly Schemas["ChatMessage"][];

/** The chat as its window shows it, and what can be done with it. */
export interface ChatState extends ChatControls {
  readonly open: boolean;
  /** The visitor has opened or closed the panel before, or it has opened itself in this visit. */
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
}

/** What can be done with the chat. */
export interface ChatControls {
  /** The visitor sees the page. */
  countVisit(): void;
  /** The page is still looked at: the visit goes on. */
  seen(): void;
  toggle(): void;
  /** The button draws attention, unless the panel was used already. */
  pulse(): void;
  /** The panel opens itself, once, unless it was used already. */
  openItself(): void;
  /** The visitor turns to a panel that had opened itself. */
  engage(): void;
  /** Sends a message; takes no empty one, and none while a reply is pending. */
  send(text: string): Promise<void> | undefined;
  /** Opens the panel, or turns to one that had opened itself. */
  show(): void;
  /** Opens the panel and asks for an appointment, in the visitor's words. */
  book(): void;
  /** Begins another conversation; what was said stays in sight. */
  beginAnew(): void;
  /** Asks again for the answer that failed, under the same message id. */
  retry(): Promise<void>;
  /** Reads back what was said before the page was loaded, here or in another tab. */
  restore(): Promise<void>;
  /** Says what an answer is worth, and what is wrong with it; the same word again takes it back. */
  rate(message: ChatMessage, rating: Rating, reason?: RatingReason): Promise<void>;
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
  /** What is said of an answer that did not come. */
  readonly explain: (error: unknown) => string;
  /** Keeps what an answer was worth to the visitor. */
  readonly rate: (rating: Schemas["ReplyRating"]) => Promise<unknown>;
  /** Gives a conversation back; nothing if there is none that this browser may read. */
  readonly readBack: (sessionId: string) => Promise<readonly Schemas["ChatMessage"][] | undefined>;
  /** Reports a visit, or that the panel was opened in it. */
  readonly count: (visit: Schemas["Visit"]) => void;
  readonly storage: ChatStorage;
  readonly tabs: Tabs;
  readonly newId: () => string;
  readonly now: () => Date;
}
