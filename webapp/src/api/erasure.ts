import type { Schemas } from "./client";
import { ApiError } from "./errors";
import { send } from "./send";

/** Tells the tabs of this browser what was erased: sessions, or all of them. */
const channel = "bitacora-chat-erased";

/** Tells the other tabs. */
export function announce(erased: readonly string[] | "all"): void {
  if (typeof BroadcastChannel === "undefined") return;
  const others = new BroadcastChannel(channel);
  others.postMessage(erased);
  others.close();
}

let tabs: BroadcastChannel | undefined;

/** Hears of what other tabs erased, as long as the page is there. */
export function listen(onErased: (erased: readonly string[] | undefined) => void): void {
  if (typeof BroadcastChannel === "undefined") return;
  tabs ??= new BroadcastChannel(channel);
  tabs.onmessage = ({ data }) => onErased(Array.isArray(data) ? data : undefined);
}

const failure = "Failed to erase the conversation";
const path = "/api/chatbot/conversation";
const missing = (error: unknown) => error instanceof ApiError && error.status === 404;

/** When the appointments to come of conversations begin. */
export async function appointmentsOf(sessions: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    sessions.map(async (sessionId) => {
      try {
        const response = await send(path, { body: { sessionId }, errorMessage: () => failure });
        const { appointment }: Schemas["ChatConversation"] = await response.json();
        return appointment;
      } catch (error) {
        if (missing(error)) return undefined;
        throw error;
      }
    }),
  );
  return found.filter((appointment) => appointment !== undefined).sort();
}

/** Erases conversations; what is gone already is no failure. */
export async function erase(
  sessionIds: readonly string[],
  appointments: readonly string[],
): Promise<void> {
  try {
    await send(`${path}/erase`, {
      body: { sessionIds, appointments },
      errorMessage: () => failure,
    });
  } catch (error) {
    if (!missing(error)) throw error;
  }
}
