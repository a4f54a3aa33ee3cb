import { lazy, Suspense, useId, useRef } from "react";
import { chatTexts } from "../content/chat";
import { classes } from "../ui/classes";
import { CloseIcon } from "../ui/icons";
import { Logo } from "../ui/Logo";
import { Composer } from "./Composer";
import { Messages } from "./Messages";
import { NewConversation } from "./NewConversation";
import { QuickReplies } from "./QuickReplies";
import { useWayOut } from "./useWayOut";

const ChatMenu = lazy(() => import("./ChatMenu"));

interface ChatPanelProps {
  readonly id: string;
  /** Nobody asked for it: it leaves more than half of the screen free, and the focus where it is. */
  readonly small: boolean;
  /** Closes it and gives the focus back. */
  readonly onClose: () => void;
  /** Closes it and leaves the focus where it is. */
  readonly onLeave: () => void;
}

/** The conversation and the line to write in. */
export function ChatPanel({ id, small, onClose, onLeave }: ChatPanelProps) {
  const title = useId();
  const input = useRef<HTMLTextAreaElement>(null);
  const log = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLElement>(null);
  useWayOut(panel, onClose, onLeave);
  const focusInput = () => input.current?.focus();
  /** Whoever presses with a finger is spared the keyboard on the screen. */
  const focusOn = () => {
    (matchMedia("(pointer: coarse)").matches ? log : input).current?.focus();
  };
  return (
    <section
      aria-labelledby={title}
      className={classes(
        "pointer-events-auto flex flex-col overflow-y-auto overflow-x-hidden bg-white shadow-float",
        "transition-[opacity,translate] duration-200 motion-safe:starting:translate-y-3 motion-safe:starting:opacity-0",
        "roomy:h-[70dvh] roomy:w-100 roomy:rounded-2xl roomy:border roomy:border-sand-200",
        small
          ? // Below the bar of the site, which stands above it.
            "roomy:max-h-[min(38rem,100dvh-11.5rem)] compact:h-[54dvh] compact:w-[min(26rem,100vw-2rem)] compact:rounded-2xl compact:border compact:border-sand-200"
          : "roomy:max-h-[38rem] compact:fixed compact:inset-0",
      )}
      data-small={small || undefined}
      id={id}
      ref={panel}
    >
      <header className="flex items-center gap-2 bg-teal-900 py-3 pr-2 pl-4 text-white tight:py-1">
        <Logo
          className="tight:hidden size-9 shrink-0 rounded-[0.65rem] ring-1 ring-white/20"
          onDark
        />
        <div className="min-w-0 flex-1">
          <h2 className="font-semibold text-base leading-5" id={title}>
            {chatTexts.title}
          </h2>
          <p className="tight:hidden text-[0.8125rem] text-teal-100 leading-5">
            {chatTexts.subtitle}
          </p>
        </div>
        <Suspense>
          <ChatMenu />
        </Suspense>
        <button
          aria-label={chatTexts.close}
          className="grid size-10 place-items-center rounded-lg text-teal-100 hover:bg-white/10 hover:text-white focus-visible:outline-white"
          onClick={onClose}
          type="button"
        >
          <CloseIcon />
        </button>
      </header>
      <Messages area={log} />
      <QuickReplies onDone={focusOn} />
      <NewConversation onDone={focusInput} />
      <Composer input={input} takesFocus={!small} />
    </section>
  );
}
