import { useEffect, useState } from "react";

/** How long a slide is shown, in milliseconds. */
const slideTime = 6000;

/** The place of a slide in a ring of `count`. */
export function wrapIndex(index: number, count: number): number {
  return ((index % count) + count) % count;
}

/**
 * Which slide is shown, and whether they go on by themselves: not while the visitor is `interacting`, in a hidden
 * tab, or, unless the visitor asks for it, under reduced motion.
 */
export function useCarousel(count: number) {
  const [active, setActive] = useState(0);
  const [playing, setPlaying] = useState(true);
  const [interacting, setInteracting] = useState(false);
  const [hidden, setHidden] = useState(false);
  const moving = playing && !interacting && !hidden;

  useEffect(() => {
    if (window.matchMedia("(prefers-reduced-motion: reduce)").matches) setPlaying(false);
    const look = () => setHidden(document.visibilityState === "hidden");
    look();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);

  useEffect(() => {
    if (!moving) return;
    const timer = setTimeout(() => setActive(wrapIndex(active + 1, count)), slideTime);
    return () => clearTimeout(timer);
  }, [moving, active, count]);

  return {
    active,
    playing,
    moving,
    show: (index: number) => setActive(wrapIndex(index, count)),
    setPlaying,
    setInteracting,
  };
}
