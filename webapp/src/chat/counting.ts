import type { Schemas } from "../api/client";

/** What a browser says that does not want to be followed. */
interface Wishes {
  readonly globalPrivacyControl?: boolean;
  readonly doNotTrack?: string | null;
}

/** Whether the visit may be counted, although nothing in that could follow anybody. */
export function mayCount({ globalPrivacyControl, doNotTrack }: Wishes): boolean {
  return globalPrivacyControl !== true && doNotTrack !== "1";
}

/** Tells the clinic of a visit. Whether it arrives is nothing to the visitor. */
export function count(visit: Schemas["Visit"]): void {
  if (!mayCount(navigator as Wishes)) return;
  fetch("/api/visits", {
    method: "POST",
    keepalive: true,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(visit),
  }).catch(() => undefined);
}

/** The longest that a busy page puts the count off, in milliseconds. */
const patience = 4000;

/** Calls back once, when the page is seen and has nothing else to do; gives a way to call it off. */
export function whenSeen(then: () => void): () => void {
  const idle =
    typeof requestIdleCallback === "function"
      ? () => requestIdleCallback(then, { timeout: patience })
      : () => setTimeout(then, patience / 2);
  const look = () => {
    if (document.visibilityState !== "visible") return;
    leave();
    idle();
  };
  const leave = () => document.removeEventListener("visibilitychange", look);
  document.addEventListener("visibilitychange", look);
  look();
  return leave;
}
