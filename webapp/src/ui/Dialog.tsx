import { type ReactNode, useEffect, useLayoutEffect, useRef } from "react";
import { interfaceTexts } from "../content/interface";
import { classes } from "./classes";
import { CloseIcon } from "./icons";

export interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly labelledBy: string;
  readonly describedBy?: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/**
 * A modal dialog. The browser's own element keeps the focus inside, closes on
 * Escape and gives the focus back; a click beside it closes as well.
 */
export function Dialog({
  open,
  onClose,
  labelledBy,
  describedBy,
  className,
  children,
}: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);

  // Before the effects of what it contains, which may measure or scroll.
  useLayoutEffect(() => {
    const dialog = element.current;
    if (!dialog || open === dialog.open) return;
    if (open) dialog.showModal();
    else dialog.close();
  }, [open]);

  useEffect(() => {
    const dialog = element.current;
    if (!dialog) return;
    const onBackdrop = (event: MouseEvent) => {
      if (event.target === dialog) dialog.close();
    };
    dialog.addEventListener("click", onBackdrop);
    return () => dialog.removeEventListener("click", onBackdrop);
  }, []);

  return (
    <dialog
      aria-describedby={describedBy}
      aria-labelledby={labelledBy}
      className={classes(
        "m-auto max-h-[calc(100dvh-1rem)] w-[calc(100vw-1rem)] rounded-card bg-white p-0 text-ink-700 shadow-float",
        className,
      )}
      onClose={onClose}
      ref={element}
    >
      {open && children}
    </dialog>
  );
}

/** The close button in the corner of a dialog. */
export function DialogClose({ onClose }: Pick<DialogProps, "onClose">) {
  return (
    <button
      aria-label={interfaceTexts.close}
      className="absolute top-3.5 right-3.5 grid size-9 place-items-center rounded-lg text-ink-600 hover:bg-sand-100"
      onClick={onClose}
      type="button"
    >
      <CloseIcon />
    </button>
  );
}
