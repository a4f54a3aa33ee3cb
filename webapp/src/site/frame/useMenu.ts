import { type RefObject, useEffect, useRef } from "react";

/**
 * A `<details>` as a menu: it opens without any script, and with one Escape closes it and
 * gives the focus back to its summary, and so does, without the focus, a press outside of
 * it or the focus going elsewhere.
 */
export function useMenu(): RefObject<HTMLDetailsElement | null> {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const outside = ({ target }: Event) => {
      const details = menu.current;
      if (details?.open && target instanceof Node && !details.contains(target)) {
        details.open = false;
      }
    };
    const onKeyDown = ({ key }: KeyboardEvent) => {
      const details = menu.current;
      if (key !== "Escape" || !details?.open) return;
      details.open = false;
      details.querySelector("summary")?.focus();
    };
    document.addEventListener("pointerdown", outside);
    document.addEventListener("focusin", outside);
    document.addEventListener("keydown", onKeyDown);
    return () => {
      document.removeEventListener("pointerdown", outside);
      document.removeEventListener("focusin", outside);
      document.removeEventListener("keydown", onKeyDown);
    };
  }, []);
  return menu;
}
