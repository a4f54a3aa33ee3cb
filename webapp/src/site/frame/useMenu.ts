import { type RefObject, useEffect, useRef } from "react";

/**
 * A `<details>` as a menu: it opens without any script, and with one Escape closes it and
 * gives the focus back to its summary, and so does, without the focus, a click outside of
 * it or the focus going elsewhere.
 */
export function useMenu(): RefObject<HTMLDetailsElement | null> {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const closeOutside = ({ target }: Event) => {
      const details = menu.current;
      if (details?.open && target instanceof Node && !details.contains(target)) {
        details.open = false;
      }
    };
    const onKeyDown = (event: KeyboardEvent) => {
      const details = menu.current;
      if (event.key !== "Escape" || !details?.open) return;
      // It closes nothing else.
      event.preventDefault();
      details.open = false;
      details.querySelector("summary")?.focus();
    };
    document.addEventListener("pointerdown", closeOutside);
    document.addEventListener("focusin", closeOutside);
    document.addEventListener("keydown", onKeyDown);
    return () => {
      document.removeEventListener("pointerdown", closeOutside);
      document.removeEventListener("focusin", closeOutside);
      document.removeEventListener("keydown", onKeyDown);
    };
  }, []);
  return menu;
}
