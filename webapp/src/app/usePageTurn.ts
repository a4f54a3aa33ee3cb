import { useContext, useEffect, useLayoutEffect, useRef, useState } from "react";
import { ContentContext } from "../api/content";
import type { Turn } from "../site/frame/SiteFrame";
import { type LoadedPage, loadPage } from "./pages";

/** How long a page takes to go, and the next to come, in milliseconds. */
const pageFade = 500;

function wait(milliseconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, milliseconds));
}

function prefersReducedMotion(): boolean {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * The page to show at a path. The page before it fades first, while the code and the texts of the
 * next one are fetched; then the view goes to the top, or to where it was when the visitor goes
 * back, and the focus to the content.
 */
export function usePageTurn(path: string, first: LoadedPage | undefined) {
  const cache = useContext(ContentContext);
  const [shown, setShown] = useState(first);
  const [turn, setTurn] = useState<Turn>("still");
  const settled = useRef(first?.path ?? path);
  const goesBack = useRef(false);
  const scrollPositions = useRef(new Map<string, number>());

  useEffect(() => {
    const remember = ({ type }: Event) => {
      goesBack.current = type === "popstate";
    };
    const events = ["popstate", "pushState"];
    for (const event of events) window.addEventListener(event, remember);
    return () => {
      for (const event of events) window.removeEventListener(event, remember);
    };
  }, []);

  useEffect(() => {
    if (shown?.path === path) {
      setTurn((now) => (now === "leaving" ? "still" : now));
      return;
    }
    let stale = false;
    if (shown) {
      scrollPositions.current.set(shown.path, window.scrollY);
      setTurn("leaving");
    }
    const faded = wait(shown && !prefersReducedMotion() ? pageFade : 0);
    Promise.all([loadPage(path, cache), faded]).then(
      ([page]) => {
        if (stale) return;
        setShown(page);
        setTurn("entering");
      },
      // The code is gone from the server, where there is a newer build to load; or it gives no texts,
      // and the browser says best what is wrong with the line.
      () => !stale && window.location.reload(),
    );
    return () => {
      stale = true;
    };
  }, [path, shown, cache]);

  useLayoutEffect(() => {
    if (!shown || shown.path === settled.current) return;
    settled.current = shown.path;
    const top = goesBack.current ? (scrollPositions.current.get(shown.path) ?? 0) : 0;
    goesBack.current = false;
    window.scrollTo({ top, behavior: "instant" });
    document.getElementById("contenido")?.focus({ preventScroll: true });
  }, [shown]);

  return { shown, turn };
}
