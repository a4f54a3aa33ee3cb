import { type RefObject, useEffect, useRef, useState } from "react";
import { chatTexts } from "../content/chat";
import { offerBooking, refuseBooking } from "../ui/booking";
import { classes } from "../ui/classes";
import { ChatIcon, CloseIcon } from "../ui/icons";
import { useMedia } from "../ui/useMedia";
import type { ChatPanel } from "./ChatPanel";
import { openDelay, pulseDelay } from "./store";
import { inOneTab } from "./tabs";
import { compact, controls, useChat, useChatAllowed, useCounting, useRecovery } from "./visit";

const panelId = "chat-panel";

/** Where a panel that nobody asked for covers less than half of the window. */
const leavesRoom = "(height >= 31.25rem)";

/** Whether a field of the page has the focus, or a text that the visitor has not sent. */
function isWriting(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    "main :is(textarea, input:not([type=checkbox]))",
  );
  return [...fields].some((field) => field === document.activeElement || field.value !== "");
}

/** Opens the panel once, where somebody looks at the page, has room for it and is not writing. */
function useSelfOpening(): void {
  useEffect(() => {
    const pulse = setTimeout(controls.pulse, pulseDelay);
    const opening = setInterval(() => {
      if (document.hidden || !matchMedia(leavesRoom).matches || isWriting()) return;
      clearInterval(opening);
      inOneTab(controls.openItself);
    }, openDelay);
    return () => {
      clearTimeout(pulse);
      clearInterval(opening);
    };
  }, []);
}

/** The assistant at the bottom right of every public page. */
export function ChatWidget() {
  useSelfOpening();
  useCounting();
  const allowed = useChatAllowed();
  useEffect(() => (allowed === false ? refuseBooking() : undefined), [allowed]);
  return allowed ? <Widget /> : null;
}

/** Lets a panel that covers the window be left as a page is: going back closes it. */
function useHistoryEntry(covers: boolean, onBack: () => void): void {
  const latest = useRef(onBack);
  latest.current = onBack;
  useEffect(() => {
    if (!covers) return;
    window.history.pushState({ chat: true }, "");
    const back = () => latest.current();
    window.addEventListener("popstate", back);
    return () => {
      window.removeEventListener("popstate", back);
      if (window.history.state?.chat) window.history.back();
    };
  }, [covers]);
}

/** Takes the page behind a panel that covers it out of reach. */
function useWholeWindow(widget: RefObject<HTMLElement | null>, covers: boolean): void {
  useEffect(() => {
    if (!covers) return;
    const page = [...(widget.current?.parentElement?.children ?? [])].filter(
      (element): element is HTMLElement =>
        element !== widget.current && !("inert" in element && element.inert),
    );
    for (const element of page) element.inert = true;
    return () => {
      for (const element of page) element.inert = false;
    };
  }, [widget, covers]);
}

/** The panel, whose code comes after the button; where it did not, once more when it is opened. */
function usePanel(open: boolean): typeof ChatPanel | undefined {
  const [panel, setPanel] = useState<{ readonly Panel: typeof ChatPanel }>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: an opening tries once more
  useEffect(() => {
    if (panel) return;
    import("./ChatPanel").then(
      ({ ChatPanel }) => setPanel({ Panel: ChatPanel }),
      () => undefined,
    );
  }, [open, panel]);
  return panel?.Panel;
}

function Widget() {
  const open = useChat((chat) => chat.open);
  const openedItself = useChat((chat) => chat.openedItself);
  const pulsing = useChat((chat) => chat.pulsing);
  const unread = useChat((chat) => chat.unread);
  const button = useRef<HTMLButtonElement>(null);
  const widget = useRef<HTMLElement>(null);
  const Panel = usePanel(open);
  const returning = useRef(false);
  const whole = useMedia(compact) && open && !openedItself;
  useRecovery();
  useEffect(
    () =>
      offerBooking(({ dataset }) => (dataset.ask === undefined ? controls.book : controls.show)()),
    [],
  );
  useWholeWindow(widget, whole);

  const close = () => {
    returning.current = true;
    controls.toggle();
  };
  useHistoryEntry(whole, close);
  useEffect(() => {
    if (open || !returning.current) return;
    returning.current = false;
    button.current?.focus();
  }, [open]);

  return (
    <aside
      aria-label={chatTexts.title}
      className={classes(
        "pointer-events-none fixed right-4 bottom-[calc(1rem+var(--bar))] flex flex-col items-end gap-3 sm:right-6 sm:bottom-6",
        // The bar of the site stands above a panel that nobody asked for, and below the other.
        open && !openedItself ? "z-50" : "z-40",
      )}
      ref={widget}
    >
      <LimitNotice />
      {open && Panel && (
        <Panel id={panelId} onClose={close} onLeave={controls.toggle} small={openedItself} />
      )}
      <p aria-live="polite" className="sr-only">
        {open ? openedItself && chatTexts.announcement : unread && chatTexts.unread}
      </p>
      <button
        aria-controls={open ? panelId : undefined}
        aria-expanded={open}
        aria-label={open ? chatTexts.close : chatTexts.open}
        className={classes(
          "pointer-events-auto relative grid size-15 place-items-center rounded-full bg-teal-700 text-white shadow-float transition-colors hover:bg-teal-800",
          pulsing && "ring-4 ring-clay-400",
          // Opened by the visitor, the panel takes the whole of a small screen.
          open && !openedItself && "compact:hidden",
        )}
        data-pulsing={pulsing}
        onClick={controls.toggle}
        ref={button}
        type="button"
      >
        {pulsing && (
          <span className="absolute inset-0 rounded-full bg-clay-400 opacity-60 motion-safe:animate-ping motion-reduce:hidden" />
        )}
        {unread && (
          <span
            className="absolute top-0.5 right-0.5 size-4 rounded-full border-2 border-white bg-clay-500"
            data-testid="unread"
          />
        )}
        <span className="relative">
          {open ? <CloseIcon className="size-6" /> : <ChatIcon className="size-7" />}
        </span>
      </button>
    </aside>
  );
}

/** What the panel said before it closed itself stays until it is dismissed. */
function LimitNotice() {
  const notice = useChat((chat) => chat.notice);
  return (
    <div role="status">
      {notice && (
        <div className="pointer-events-auto flex max-w-84 items-start gap-2 rounded-xl border border-sand-300 bg-white p-4 pr-2 text-[0.9375rem] text-ink-900 shadow-float">
          <p>{notice}</p>
          <button
            aria-label={chatTexts.dismiss}
            className="grid size-8 shrink-0 place-items-center rounded-lg text-ink-600 hover:bg-sand-100"
            onClick={controls.dismissNotice}
            type="button"
          >
            <CloseIcon className="size-4.5" />
          </button>
        </div>
      )}
    </div>
  );
}
