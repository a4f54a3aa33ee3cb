/**
 * Texts that somebody began to write and has not sent. They outlast a reload, the end of a session and the
 * sign-in after it, in this tab alone. A sign-out forgets them, and nobody else's account sees them.
 */
import { useEffect, useState } from "react";

const key = "bitacora-drafts";

interface Drafts {
  readonly owner?: string | undefined;
  readonly texts: Readonly<Record<string, string>>;
}

const none: Drafts = { texts: {} };

function read(): Drafts {
  try {
    return { ...none, ...(JSON.parse(sessionStorage.getItem(key) ?? "") as Drafts) };
  } catch {
    return none;
  }
}

function write(drafts: Drafts): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(drafts));
  } catch {
    // Without storage a draft lasts as long as its form.
  }
}

/** The draft of that name; empty where there is none. */
export function draftOf(name: string): string {
  return read().texts[name] ?? "";
}

/** Keeps a draft; an empty one is forgotten. */
export function keepDraft(name: string, text: string): void {
  const { owner, texts } = read();
  const { [name]: _, ...others } = texts;
  write({ owner, texts: text ? { ...others, [name]: text } : others });
}

/** Forgets all drafts. */
export function forgetDrafts(): void {
  write(none);
}

/** Forgets the drafts of any other account than this one. */
export function keepDraftsOf(owner: string): void {
  const drafts = read();
  if (drafts.owner !== owner) write({ owner, texts: {} });
}

/** A text that is kept under a name while it is typed. */
export function useDraft(name: string) {
  const [text, setText] = useState(() => draftOf(name));
  useEffect(() => keepDraft(name, text), [name, text]);
  return [text, setText] as const;
}
