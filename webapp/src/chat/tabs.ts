import type { ChatMessage } from "./state";

/** What happens in one tab and concerns the others. */
export type News =
  /** A bubble came, or changed. */
  | { readonly kind: "said"; readonly message: ChatMessage }
  /** An answer is awaited. */
  | { readonly kind: "asking"; readonly question: ChatMessage }
  /** It is awaited no longer; `unanswered` is what it did not come to. */
  | { readonly kind: "asked"; readonly unanswered: ChatMessage | undefined };

/** News of conversations, as the tab knows them. */
export interface Told {
  readonly sessions: readonly string[];
  readonly news: News;
}

/** The other tabs of the browser. */
export interface Tabs {
  tell(told: Told): void;
  listen(onTold: (told: Told) => void): void;
  /** Runs while no other tab does. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

const name = "bitacora-chat";

/** Reaches them where the browser has locks, which takes a secure address; alone elsewhere. */
export function browserTabs(): Tabs {
  const { locks } = navigator;
  if (!locks || typeof BroadcastChannel === "undefined") {
    return { tell: () => undefined, listen: () => undefined, alone: (work) => work() };
  }
  const channel = new BroadcastChannel(name);
  return {
    tell: (told) => channel.postMessage(told),
    listen(onTold) {
      channel.onmessage = ({ data }: MessageEvent<Told>) => onTold(data);
    },
    alone: async (work) => locks.request(name, work),
  };
}

/** How long the browser may take to show all tabs what one of them has stored, in milliseconds. */
const storingTime = 1000;

/** Runs where several tabs would at the same moment in one of them only. */
export async function inOneTab(work: () => void): Promise<void> {
  const { locks } = navigator;
  if (!locks) return work();
  await locks.request(`${name}-alone`, { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    work();
    await new Promise((done) => setTimeout(done, storingTime));
  });
}
