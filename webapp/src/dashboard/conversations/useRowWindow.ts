import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { IndexRange } from "../shared/conversations";

/** Rows that are drawn above and below the screen. */
const margin = 8;
/** The window moves by this many rows at a time. */
const step = 4;
/** The fewest rows from the top: where the list lies below the screen, paper shows them all the same. */
const least = 20;

/** The rows of a list of equal rows that lie on the screen or near it. */
export function rowsInView(top: number, screen: number, height: number, count: number): IndexRange {
  const from = Math.floor((-top / height - margin) / step) * step;
  const to = Math.ceil(((screen - top) / height + margin) / step) * step;
  const last = Math.max(0, count - 1);
  const within = (index: number) => Math.min(last, Math.max(0, index));
  return { first: within(from), last: within(Math.max(to, least - 1)) };
}

/**
 * Tells which rows of a long list are to be drawn while the page scrolls. The rows are the
 * list's children; all have the height of the first.
 */
export function useRowWindow(count: number) {
  const list = useRef<HTMLUListElement>(null);
  const [view, setView] = useState({ first: 0, last: Math.min(count, least) - 1, height: 80 });

  useLayoutEffect(() => {
    const look = () => {
      const element = list.current;
      if (!element) return;
      const height = element.firstElementChild?.getBoundingClientRect().height || 80;
      const top = element.getBoundingClientRect().top;
      const { first, last } = rowsInView(top, window.innerHeight, height, count);
      setView((before) =>
        before.first === first && before.last === last && before.height === height
          ? before
          : { first, last, height },
      );
    };
    look();
    // Rows have another height in a narrow list, which is laid out only after the window has changed.
    const resized = new ResizeObserver(look);
    if (list.current) resized.observe(list.current);
    window.addEventListener("scroll", look, { passive: true });
    window.addEventListener("resize", look);
    return () => {
      resized.disconnect();
      window.removeEventListener("scroll", look);
      window.removeEventListener("resize", look);
    };
  }, [count]);

  return { list, ...view };
}

/** Where the list came to rest: what flies past need not be asked for. */
export function useSettled({ first, last }: IndexRange): IndexRange {
  const [settled, setSettled] = useState({ first, last });
  useEffect(() => {
    const waiting = setTimeout(() => setSettled({ first, last }), 80);
    return () => clearTimeout(waiting);
  }, [first, last]);
  return settled;
}
