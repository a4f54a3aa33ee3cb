import { type PointerEvent, useCallback, useEffect, useRef, useState } from "react";
import { interfaceTexts } from "../content/interface";
import { classes } from "./classes";
import { CloseIcon } from "./icons";
import { dismissToast, type Toast, toastDuration, toastSwipeThreshold, useToasts } from "./toasts";

/** Runs `onEnd` after `duration` milliseconds, not counting the time while paused. */
function useCountdown(duration: number, paused: boolean, onEnd: () => void): void {
  const left = useRef(duration);
  useEffect(() => {
    if (paused) return;
    const started = performance.now();
    const timer = setTimeout(onEnd, left.current);
    return () => {
      clearTimeout(timer);
      left.current -= performance.now() - started;
    };
  }, [paused, onEnd]);
}

/** Lets a toast be dragged to the right, and reports when it was dragged far enough. */
function useSwipe(onSwiped: () => void) {
  const start = useRef<number>(null);
  const distance = ({ clientX }: PointerEvent) =>
    start.current === null ? 0 : Math.max(0, clientX - start.current);
  const finish = (event: PointerEvent<HTMLElement>, swiped: boolean) => {
    start.current = null;
    event.currentTarget.style.translate = "";
    if (swiped) onSwiped();
  };
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if ((event.target as Element).closest("button")) return;
      start.current = event.clientX;
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      if (start.current !== null) event.currentTarget.style.translate = `${distance(event)}px`;
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      finish(event, distance(event) >= toastSwipeThreshold);
    },
    onPointerCancel(event: PointerEvent<HTMLElement>) {
      finish(event, false);
    },
  };
}

function ToastCard({ toast }: { readonly toast: Toast }) {
  const [paused, setPaused] = useState(false);
  const close = useCallback(() => dismissToast(toast.id), [toast.id]);
  useCountdown(toast.duration ?? toastDuration, paused, close);
  const destructive = toast.variant === "destructive";

  return (
    <li
      className={classes(
        "pointer-events-auto relative flex touch-pan-y select-none items-start gap-4 rounded-xl border p-4 pr-12 shadow-float",
        "transition-[opacity,transform] duration-200 starting:translate-y-2 starting:opacity-0",
        destructive
          ? "border-bad-700 bg-bad-600 text-white"
          : "border-sand-200 bg-white text-ink-700",
      )}
      data-variant={toast.variant ?? "default"}
      onBlur={() => setPaused(false)}
      onFocus={() => setPaused(true)}
      onPointerEnter={() => setPaused(true)}
      onPointerLeave={() => setPaused(false)}
      {...useSwipe(close)}
    >
      <div className="min-w-0 flex-1">
        {toast.title && (
          <p className={classes("font-semibold text-[0.9375rem]", !destructive && "text-ink-900")}>
            {toast.title}
          </p>
        )}
        {toast.description && <p className="text-[0.9375rem]">{toast.description}</p>}
      </div>
      {toast.action && (
        <button
          className="min-h-8 shrink-0 rounded-lg border border-current px-3 font-semibold text-sm"
          onClick={() => {
            toast.action?.onSelect();
            close();
          }}
          type="button"
        >
          {toast.action.label}
        </button>
      )}
      <button
        aria-label={interfaceTexts.dismissNotification}
        className="absolute top-2 right-2 grid size-8 place-items-center rounded-lg opacity-80 hover:opacity-100 focus-visible:outline-current"
        onClick={close}
        type="button"
      >
        <CloseIcon className="size-4.5" />
      </button>
    </li>
  );
}

/** The place where toasts appear: top on phones, bottom right on larger screens. */
export function Toaster() {
  const open = useToasts(({ toasts }) => toasts).filter((toast) => toast.open);
  const urgent = open.some(({ variant }) => variant === "destructive");
  return (
    <section
      aria-label={interfaceTexts.notifications}
      aria-live={urgent ? "assertive" : "polite"}
      className="pointer-events-none fixed top-0 right-0 z-50 w-full p-4 sm:top-auto sm:bottom-0 md:max-w-[420px]"
    >
      <ol>
        {open.map((toast) => (
          <ToastCard key={toast.id} toast={toast} />
        ))}
      </ol>
    </section>
  );
}
