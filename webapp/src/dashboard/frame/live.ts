import { useEffect, useRef, useState } from "react";

/** How new data is heard of: told by the server, or asked for now and then where that fails. */
export type Hearing = "live" | "polling";

const address = "/api/dashboard/live";
const pollEvery = 30_000;
const reconnectAfter = 60_000;
/** The least time between two renewals, in milliseconds. */
const calm = 3000;

/** The log position that an event tells, if it is one. */
export function positionOf(data: unknown): number | undefined {
  if (typeof data !== "string") return undefined;
  try {
    const { position } = JSON.parse(data) as { position?: unknown };
    return typeof position === "number" ? position : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Calls `renew` when the server tells that its answers hold beyond `shown`, the log position of
 * what is on screen; at most every few seconds, and not while nobody looks.
 */
export function useLive(shown: number | undefined, renew: () => void): Hearing {
  const [hearing, setHearing] = useState<Hearing>("live");
  const latest = useRef({ shown, renew });
  useEffect(() => {
    latest.current = { shown, renew };
  });

  useEffect(() => {
    let heard = 0;
    let renewedAt = 0;
    let waiting: ReturnType<typeof setTimeout> | undefined;
    let polling: ReturnType<typeof setInterval> | undefined;
    let reconnecting: ReturnType<typeof setTimeout> | undefined;
    let source: EventSource | undefined;
    /** Whether the line was broken, so that other calls may have failed too. */
    let lost = false;

    const renewNow = () => {
      waiting = undefined;
      renewedAt = Date.now();
      latest.current.renew();
    };
    const settle = () => {
      const { shown } = latest.current;
      if (document.hidden || waiting || shown === undefined || heard <= shown) return;
      waiting = setTimeout(renewNow, Math.max(0, renewedAt + calm - Date.now()));
    };
    const listen = () => {
      source = new EventSource(address, { withCredentials: true });
      source.addEventListener("open", () => {
        setHearing("live");
        clearInterval(polling);
        if (lost) renewNow();
        lost = false;
      });
      source.addEventListener("data", (event) => {
        heard = positionOf(event.data) ?? heard;
        settle();
      });
      source.addEventListener("error", () => {
        lost = true;
        // The browser connects again by itself unless the server refused: perhaps because the
        // session is over, which the next call tells.
        if (source?.readyState !== EventSource.CLOSED) return;
        setHearing("polling");
        renewNow();
        clearInterval(polling);
        polling = setInterval(() => !document.hidden && renewNow(), pollEvery);
        reconnecting = setTimeout(listen, reconnectAfter);
      });
    };

    listen();
    document.addEventListener("visibilitychange", settle);
    return () => {
      source?.close();
      clearInterval(polling);
      clearTimeout(waiting);
      clearTimeout(reconnecting);
      document.removeEventListener("visibilitychange", settle);
    };
  }, []);

  return hearing;
}
