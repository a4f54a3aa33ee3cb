import { useEffect, useRef, useState } from "react";

/** How new data arrives: announced by the server, or polled where that fails. */
export type Connection = "live" | "polling";

const address = "/api/dashboard/live";
const pollEvery = 30_000;
const reconnectAfter = 60_000;
/** The least time between two renewals, in milliseconds. */
const minInterval = 3000;

/** The log position in an event's data, if there is one. */
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
 * Calls `renew` when the server announces a log position beyond `shown`, the one of what is on
 * screen; at most every few seconds, and not while nobody looks.
 */
export function useLive(shown: number | undefined, renew: () => void): Connection {
  const [connection, setConnection] = useState<Connection>("live");
  const latest = useRef({ shown, renew });
  useEffect(() => {
    latest.current = { shown, renew };
  });

  useEffect(() => {
    let latestPosition = 0;
    let renewedAt = 0;
    let waiting: ReturnType<typeof setTimeout> | undefined;
    let polling: ReturnType<typeof setInterval> | undefined;
    let reconnecting: ReturnType<typeof setTimeout> | undefined;
    let source: EventSource | undefined;
    /** Whether the connection was broken, so that other calls may have failed too. */
    let broken = false;

    const renewNow = () => {
      waiting = undefined;
      renewedAt = Date.now();
      latest.current.renew();
    };
    const scheduleRenewal = () => {
      const { shown } = latest.current;
      if (document.hidden || waiting || shown === undefined || latestPosition <= shown) return;
      waiting = setTimeout(renewNow, Math.max(0, renewedAt + minInterval - Date.now()));
    };
    const listen = () => {
      source = new EventSource(address, { withCredentials: true });
      source.addEventListener("open", () => {
        setConnection("live");
        clearInterval(polling);
        if (broken) renewNow();
        broken = false;
      });
      source.addEventListener("data", (event) => {
        latestPosition = positionOf(event.data) ?? latestPosition;
        scheduleRenewal();
      });
      source.addEventListener("error", () => {
        broken = true;
        // The browser connects again by itself unless the server refused: perhaps because the
        // session is over, which the next call shows.
        if (source?.readyState !== EventSource.CLOSED) return;
        setConnection("polling");
        renewNow();
        clearInterval(polling);
        polling = setInterval(() => !document.hidden && renewNow(), pollEvery);
        reconnecting = setTimeout(listen, reconnectAfter);
      });
    };

    listen();
    document.addEventListener("visibilitychange", scheduleRenewal);
    return () => {
      source?.close();
      clearInterval(polling);
      clearTimeout(waiting);
      clearTimeout(reconnecting);
      document.removeEventListener("visibilitychange", scheduleRenewal);
    };
  }, []);

  return connection;
}
