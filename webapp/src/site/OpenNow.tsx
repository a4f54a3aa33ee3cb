import { useEffect, useState } from "react";
import { useOutcome, useTexts } from "../api/content";
import { fill } from "../content/fill";
import { inWords, openingAt } from "../content/hours";

/** The instant of which the page tells: first that of the server, then the visitor's. */
export function useNow(): Date | undefined {
  const { data: rendered } = useOutcome("now");
  const [now, setNow] = useState<Date>();
  useEffect(() => {
    const look = () => setNow(new Date());
    look();
    const timer = setInterval(look, 60_000);
    return () => clearInterval(timer);
  }, []);
  return now ?? (typeof rendered === "string" ? new Date(rendered) : undefined);
}

/** Says whether the clinic is open and, where it is not `brief`, when it opens next. */
export function OpenNow({ brief = false }: { readonly brief?: boolean }) {
  const { topBar } = useTexts("site");
  const now = useNow();
  if (!now) return null;
  const { open, next } = openingAt(now);
  return (
    <span className="inline-flex items-center gap-2 font-medium">
      <span
        aria-hidden="true"
        className={
          open
            ? "size-2 shrink-0 rounded-full bg-good-500"
            : "size-2 shrink-0 rounded-full bg-ink-400"
        }
      />
      <span>
        {open ? topBar.open : topBar.closed}
        {next && !brief && fill(topBar.opens, { when: inWords(next) })}
      </span>
    </span>
  );
}
