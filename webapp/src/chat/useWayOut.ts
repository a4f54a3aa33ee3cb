import { type RefObject, useEffect } from "react";

/** How long the browser may take to scroll to what takes the focus, in milliseconds. */
const scrollTime = 5000;

function covers(panel: Element, target: Element): boolean {
  const above = panel.getBoundingClientRect();
  const { left, top, right, bottom } = target.getBoundingClientRect();
  return left >= above.left && top >= above.top && right <= above.right && bottom <= above.bottom;
}

/**
 * Escape closes the panel wherever the focus is. It also gives way to what takes the focus
 * behind it: whoever goes there wants to see that.
 */
export function useWayOut(
  panel: RefObject<HTMLElement | null>,
  onClose: () => void,
  onLeave: () => void,
): void {
  useEffect(() => {
    const isInside = (target: EventTarget | null) =>
      target instanceof Node && panel.current?.contains(target) === true;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented) return;
      if (document.querySelector("dialog:modal")) return;
      const stays = document.activeElement !== document.body && !isInside(document.activeElement);
      (stays ? onLeave : onClose)();
    };
    const onFocusIn = ({ target }: FocusEvent) => {
      if (!(target instanceof Element) || isInside(target)) return;
      const look = () => {
        const focused = target === document.activeElement;
        if (focused && panel.current && covers(panel.current, target)) onLeave();
      };
      requestAnimationFrame(look);
      const soon = AbortSignal.timeout(scrollTime);
      document.addEventListener("scrollend", look, { once: true, signal: soon });
    };
    document.addEventListener("keydown", onKeyDown);
    document.addEventListener("focusin", onFocusIn);
    return () => {
      document.removeEventListener("keydown", onKeyDown);
      document.removeEventListener("focusin", onFocusIn);
    };
  }, [panel, onClose, onLeave]);
}
