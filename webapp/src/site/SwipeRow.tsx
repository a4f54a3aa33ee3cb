import { type ReactNode, useEffect, useRef, useState } from "react";

interface SwipeRowProps {
  /** Names the row for who reaches it by key. */
  readonly label: string;
  /** Items of a list. */
  readonly children: ReactNode;
}

/** Cards in columns, which a phone shows in a row to swipe. The row takes the focus where it scrolls. */
export function SwipeRow({ label, children }: SwipeRowProps) {
  const row = useRef<HTMLUListElement>(null);
  const [scrolls, setScrolls] = useState(false);
  useEffect(() => {
    const { current } = row;
    if (!current) return;
    const watch = new ResizeObserver(() => setScrolls(current.scrollWidth > current.clientWidth));
    watch.observe(current);
    return () => watch.disconnect();
  }, []);
  return (
    <ul
      aria-label={label}
      className="swipe md:grid-cols-2 lg:grid-cols-3"
      ref={row}
      tabIndex={scrolls ? 0 : undefined}
    >
      {children}
    </ul>
  );
}
