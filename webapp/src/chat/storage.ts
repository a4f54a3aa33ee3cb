import { readStored, writeStored } from "../ui/storage";

/** What the browser keeps of its chat: nothing that was said, and no secret that opens it. */
export interface StoredChat {
  readonly sessionId: string;
  /** The conversations before this one, oldest first. */
  readonly earlier?: readonly string[];
  /** There is something to read back. */
  readonly begun?: boolean;
  /** The visitor has opened or closed the panel before. */
  readonly settled?: boolean;
  /** The panel has opened itself in this visit. */
  readonly opened?: boolean;
  /** The visit was counted. */
  readonly counted?: boolean;
  /** When a page was last seen, in milliseconds since 1970. */
  readonly seenAt?: number;
}

/** A message whose answer has not come. */
export interface Asked {
  readonly id: string;
  readonly text: string;
}

/** Where it is kept. */
export interface ChatStorage {
  read(): StoredChat | undefined;
  write(chat: StoredChat): void;
  /** What this tab has asked; its words leave the browser's memory with the tab. */
  readAsked(): Asked | undefined;
  writeAsked(asked: Asked | undefined): void;
}

const key = "bitacora-chat";
const askedKey = "bitacora-chat-asked";

function parsed<T>(text: string | null, property: keyof T): T | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "null");
    const known = typeof value === "object" && value !== null && property in value;
    return known ? (value as T) : undefined;
  } catch {
    return undefined;
  }
}

/** What a browser that keeps nothing keeps: a chat that ends with the page. */
let unkept: StoredChat | undefined;

/** One chat for all tabs of the browser. */
export const browserStorage: ChatStorage = {
  read: () => parsed<StoredChat>(readStored(key), "sessionId") ?? unkept,
  write(chat) {
    unkept = chat;
    writeStored(key, JSON.stringify(chat));
  },
  readAsked() {
    try {
      return parsed<Asked>(sessionStorage.getItem(askedKey), "id");
    } catch {
      return undefined;
    }
  },
  writeAsked(asked) {
    try {
      if (asked) sessionStorage.setItem(askedKey, JSON.stringify(asked));
      else sessionStorage.removeItem(askedKey);
    } catch {
      // The message is lost with the page then, and the answer with it.
    }
  },
};
