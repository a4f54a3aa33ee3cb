import { useEffect, useId, useRef, useState } from "react";
import { Link } from "wouter";
import { chatTexts } from "../content/chat";
import { EraseDialog } from "./EraseDialog";
import { LeaveDialog } from "./LeaveDialog";
import { controls, giveWay, useChat } from "./visit";

const choosable = "button[role=menuitem]:enabled, a[role=menuitem]";

/** What can be done with the conversation as a whole. */
export default function ChatMenu() {
  const texts = chatTexts.menu;
  const [open, setOpen] = useState(false);
  const [asking, setAsking] = useState<"erase" | "leave">();
  const root = useRef<HTMLDivElement>(null);
  const trigger = useRef<HTMLButtonElement>(null);
  const menu = useId();
  const begun = useChat(({ messages }) => messages.some(({ isUser }) => isUser));
  const goesOn = useChat(({ messages, pending }) => !pending && !messages.at(-1)?.begins);

  useEffect(() => {
    if (!open) return;
    root.current?.querySelector<HTMLElement>(choosable)?.focus();
    const onPointer = (event: PointerEvent) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener("pointerdown", onPointer);
    return () => document.removeEventListener("pointerdown", onPointer);
  }, [open]);

  const close = () => {
    setOpen(false);
    trigger.current?.focus();
  };
  const answered = () => {
    setAsking(undefined);
    trigger.current?.focus();
  };
  const choices = [
    {
      label: chatTexts.newConversation.begin,
      disabled: !begun || !goesOn,
      choose: () => {
        controls.beginAnew();
        trigger.current?.focus();
      },
    },
    { label: texts.erase, disabled: !begun, choose: () => setAsking("erase") },
    { label: chatTexts.leave, disabled: !begun, choose: () => setAsking("leave") },
  ];
  const item =
    "flex min-h-11 w-full items-center whitespace-nowrap px-4 text-left text-[0.9375rem] text-ink-900 hover:bg-sand-100 focus-visible:bg-sand-100";
  return (
    <div
      className="relative"
      onKeyDown={(event) => {
        if (!open) return;
        const items = [...(root.current?.querySelectorAll<HTMLElement>(choosable) ?? [])];
        const at = items.indexOf(document.activeElement as HTMLElement);
        const step = { ArrowDown: 1, ArrowUp: items.length - 1 }[event.key];
        if (step !== undefined) items[(at + step) % items.length]?.focus();
        else if (event.key === "Escape") close();
        else if (event.key === "Tab") setOpen(false);
        if (event.key === "Tab") return;
        event.stopPropagation();
        if (step !== undefined) event.preventDefault();
      }}
      ref={root}
      role="none"
    >
      <button
        aria-controls={open ? menu : undefined}
        aria-expanded={open}
        aria-haspopup="menu"
        aria-label={texts.open}
        className="grid size-10 place-items-center rounded-lg text-teal-100 hover:bg-white/10 hover:text-white focus-visible:outline-white"
        onClick={() => setOpen(!open)}
        ref={trigger}
        type="button"
      >
        <svg aria-hidden="true" className="size-5" fill="currentColor" viewBox="0 0 20 20">
          <circle cx="10" cy="4" r="1.6" />
          <circle cx="10" cy="10" r="1.6" />
          <circle cx="10" cy="16" r="1.6" />
        </svg>
      </button>
      {open && (
        <div
          aria-label={texts.open}
          className="absolute top-full right-0 z-10 mt-1 overflow-hidden rounded-xl border border-sand-200 bg-white py-1.5 shadow-float"
          id={menu}
          role="menu"
        >
          {choices.map(({ label, disabled, choose }) => (
            <button
              className={`${item} disabled:text-ink-400`}
              disabled={disabled}
              key={label}
              onClick={() => {
                setOpen(false);
                choose();
              }}
              role="menuitem"
              type="button"
            >
              {label}
            </button>
          ))}
          <Link
            className={item}
            href="/privacidad"
            onClick={() => {
              setOpen(false);
              giveWay();
            }}
            role="menuitem"
          >
            {texts.notice}
          </Link>
        </div>
      )}
      <EraseDialog onClose={answered} open={asking === "erase"} />
      <LeaveDialog onClose={answered} open={asking === "leave"} />
    </div>
  );
}
