import { type FocusEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";

/**
 * Opens and closes something beside its button: Escape closes it and gives the focus back, a
 * click or the focus elsewhere closes it. `root` surrounds both and takes `leaving`.
 */
export function usePopup() {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const trigger = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (!open) return;
    const onOutside = (event: PointerEvent) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener("pointerdown", onOutside);
    return () => document.removeEventListener("pointerdown", onOutside);
  }, [open]);

  const close = () => {
    // The trigger may be hidden until then.
    flushSync(() => setOpen(false));
    trigger.current?.focus();
  };

  return {
    open,
    toggle: () => setOpen(!open),
    close,
    root,
    trigger,
    leaving: {
      onKeyDown(event: KeyboardEvent) {
        if (event.key === "Escape" && open) close();
      },
      onBlur({ relatedTarget }: FocusEvent) {
        if (relatedTarget && !root.current?.contains(relatedTarget)) setOpen(false);
      },
    },
  };
}
