import { type KeyboardEvent, lazy, Suspense, useId, useRef } from "react";
import { chatTexts } from "../content/chat";
import { classes } from "../ui/classes";
import { CloseIcon } from "../ui/icons";
import { Logo } from "../ui/Logo";
import { Composer } from "./Composer";
import { Messages } from "./Messages";
import { NewConversation } from "./NewConversation";
import { QuickReplies } from "./QuickReplies";

const ChatMenu = lazy(() => import("./ChatMenu"));

interface ChatPanelProps {
  readonly id: string;
  /** Nobody asked for it: it leaves more than half of the screen free, and the focus where it is. */
  readonly small: boolean;
  readonly onClose: () => void;
}

/** The conversation and the line to write in. */
export function ChatPanel({ id, small, onClose }: ChatPanelProps) {
  const title = useId();
  const input = useRef<HTMLTextAreaElement>(null);
  const log = useRef<HTMLDivElement>(null);
  const focusInput = () => input.current?.focus();
  /** Whoever presses with a finger is spared the keyboard on the screen. */
  const focusOn = () => {
    (matchMedia("(pointer: coarse)").matches ? log : input).current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") onClose();
  };
  return (
    <section
      aria-labelledby={title}
      className={classes(
        "pointer-events-auto flex flex-col overflow-hidden bg-white shadow-float",
        "transition-[opacity,translate] duration-200 motion-safe:starting:translate-y-3 motion-safe:starting:opacity-0",
        "roomy:h-[70dvh] roomy:max-h-[38rem] roomy:w-100 roomy:rounded-2xl roomy:border roomy:border-sand-200",
        small
          ? "compact:h-[50dvh] compact:w-[calc(100vw-2rem)] compact:rounded-2xl compact:border compact:border-sand-200"
          : "compact:fixed compact:inset-0",
      )}
      id={id}
      onKeyDown={onKeyDown}
    >
      <header className="flex items-center gap-2 bg-teal-900 py-3 pr-2 pl-4 text-white">
        <Logo className="size-9 shrink-0 rounded-[0.65rem] ring-1 ring-white/20" />
        <div className="min-w-0 flex-1">
          <h2 className="font-semibold text-base leading-5" id={title}>
            {chatTexts.title}
          </h2>
          <p className="text-[0.8125rem] text-teal-100 leading-5">{chatTexts.subtitle}</p>
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
