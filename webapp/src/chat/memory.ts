/** What a visit's chat has to remember over a reload. */
export interface Remembered {
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

/** Where it is remembered. */
export interface Memory {
  read(): Remembered | undefined;
  write(remembered: Remembered): void;
}

const key = "bitacora-chat";

/** Remembers as long as the browser's tab is open; nothing where the browser keeps nothing. */
export const tabMemory: Memory = {
  read() {
    try {
      const saved: unknown = JSON.parse(sessionStorage.getItem(key) ?? "null");
      const known = typeof saved === "object" && saved !== null && "sessionId" in saved;
      return known ? (saved as Remembered) : undefined;
    } catch {
      return undefined;
    }
  },
  write(remembered) {
    try {
      sessionStorage.setItem(key, JSON.stringify(remembered));
    } catch {
      // A browser that keeps nothing has a chat that ends with the page.
    }
  },
};
