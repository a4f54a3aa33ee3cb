import type { Schemas } from "../api/client";

/** How a browser says that it does not want to be tracked. */
interface PrivacySignals {
  readonly globalPrivacyControl?: boolean;
  readonly doNotTrack?: string | null;
}

/** Whether the visit may be counted, although nothing in that could track anybody. */
export function mayCount({ globalPrivacyControl, doNotTrack }: PrivacySignals): boolean {
  return globalPrivacyControl !== true && doNotTrack !== "1";
}

/** Reports a visit. Whether it arrives is nothing to the visitor. */
export function count(visit: Schemas["Visit"]): void {
  if (!mayCount(navigator as PrivacySignals)) return;
  fetch("/api/visits", {
    method: "POST",
    keepalive: true,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(visit),
  }).catch(() => undefined);
}

/** The longest that a busy page puts the count off, in milliseconds. */
const longestDelay = 4000;

/** Calls back once, when the page is visible and idle; returns how to cancel that. */
export function whenVisible(then: () => void): () => void {
  const idle =
    typeof requestIdleCallback === "function"
      ? () => requestIdleCallback(then, { timeout: longestDelay })
      : () => setTimeout(then, longestDelay / 2);
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
