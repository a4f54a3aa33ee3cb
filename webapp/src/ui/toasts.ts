import { create } from "zustand";

/** What a toast says. */
interface ToastContent {
  readonly variant?: "default" | "destructive";
  readonly title?: string;
  readonly description?: string | undefined;
  readonly action?: { readonly label: string; readonly onSelect: () => void };
  /** How long it stays, in milliseconds, where that is not as usual. */
  readonly duration?: number;
}

/** A toast that was shown; a closed one stays known until it is removed. */
export interface Toast extends ToastContent {
  readonly id: string;
  readonly open: boolean;
}

/** At most this many toasts exist at a time. */
const toastLimit = 1;
/** How long a toast stays before it closes itself, in milliseconds. */
export const toastDuration = 5000;
/** How long a closed toast stays known, in milliseconds. */
export const toastRemoveDelay = 1_000_000;
/** How far to the right a toast is dragged until it closes, in pixels. */
export const toastSwipeThreshold = 50;

interface ToastState {
  readonly toasts: readonly Toast[];
  /** Shows a toast in the place of the one before and returns its id. */
  show(content: ToastContent): string;
  /** Closes a toast; it is removed later. */
  dismiss(id: string): void;
}

let shown = 0;

export const useToasts = create<ToastState>()((set) => ({
  toasts: [],

  show(content) {
    shown += 1;
    const toast: Toast = { ...content, id: String(shown), open: true };
    set(({ toasts }) => ({ toasts: [toast, ...toasts].slice(0, toastLimit) }));
    return toast.id;
  },

  dismiss(id) {
    set(({ toasts }) => ({
      toasts: toasts.map((toast) => (toast.id === id ? { ...toast, open: false } : toast)),
    }));
    setTimeout(
      () => set(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) })),
      toastRemoveDelay,
    );
  },
}));

export const { show: showToast, dismiss: dismissToast } = useToasts.getState();
