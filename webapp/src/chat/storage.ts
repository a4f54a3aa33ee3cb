/** What a visit's chat keeps over a reload. */
export interface StoredVisit {
  readonly sessionId: string;
  /** The conversations before this one, oldest first. */
  readonly earlier?: readonly string[];
  /** The visitor has opened or closed the panel before. */
  readonly settled?: boolean;
  /** The visit was counted. */
  readonly counted?: boolean;
  /** There is something to read back. */
  readonly begun?: boolean;
  /** The message whose answer had not come. */
  readonly asked?: { readonly id: string; readonly text: string } | undefined;
}

/** Where it is kept. */
export interface ChatStorage {
  read(): StoredVisit | undefined;
  write(visit: StoredVisit): void;
}

const key = "bitacora-chat";

/** Keeps it as long as the browser's tab is open; nothing where there is no storage. */
export const tabStorage: ChatStorage = {
  read() {
    try {
      const saved: unknown = JSON.parse(sessionStorage.getItem(key) ?? "null");
      const known = typeof saved === "object" && saved !== null && "sessionId" in saved;
      return known ? (saved as StoredVisit) : undefined;
    } catch {
      return undefined;
    }
  },
  write(visit) {
    try {
      sessionStorage.setItem(key, JSON.stringify(visit));
    } catch {
      // A browser that keeps nothing has a chat that ends with the page.
    }
  },
};
