import { useEffect, useId, useRef, useState } from "react";
import { Link } from "wouter";
import { announce, appointmentsOf, erase } from "../api/erasure";
import { formatMoment } from "../content/dates";
import { fill } from "../content/fill";
import { privacyTexts } from "../content/privacy";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { useChat } from "./visit";

const texts = privacyTexts.menu;

/** What can be done with the conversation as a whole. */
export default function ChatMenu() {
  const [open, setOpen] = useState(false);
  const [asking, setAsking] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const trigger = useRef<HTMLButtonElement>(null);
  const menu = useId();
  const begun = useChat(({ messages }) => messages.some(({ isUser }) => isUser));

  useEffect(() => {
    if (!open) return;
    root.current?.querySelector<HTMLElement>("[role=menuitem]")?.focus();
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
  const item =
    "flex min-h-11 w-full items-center whitespace-nowrap px-4 text-left text-[0.9375rem] text-ink-900 hover:bg-sand-100 focus-visible:bg-sand-100";
  return (
    <div
      className="relative"
      onKeyDown={(event) => {
        if (!open) return;
        const items = [...(root.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
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
          <button
            className={`${item} disabled:text-ink-400`}
            disabled={!begun}
            onClick={() => {
              setOpen(false);
              setAsking(true);
            }}
            role="menuitem"
            type="button"
          >
            {texts.erase}
          </button>
          <Link className={item} href="/privacidad" onClick={() => setOpen(false)} role="menuitem">
            {texts.notice}
          </Link>
        </div>
      )}
      <EraseDialog
        onClose={() => {
          setAsking(false);
          trigger.current?.focus();
        }}
        open={asking}
      />
    </div>
  );
}

interface EraseDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Asks before all that is in sight is erased, and names the appointments that go with it. */
function EraseDialog({ open, onClose }: EraseDialogProps) {
  const title = useId();
  const description = useId();
  return (
    <Dialog
      className="max-w-sm"
      describedBy={description}
      labelledBy={title}
      onClose={onClose}
      open={open}
    >
      <Question description={description} onClose={onClose} title={title} />
    </Dialog>
  );
}

interface QuestionProps {
  readonly title: string;
  readonly description: string;
  readonly onClose: () => void;
}

function Question({ title, description, onClose }: QuestionProps) {
  const sessions = useChat((chat) => chat.sessions);
  const forget = useChat((chat) => chat.forget);
  const [appointments, setAppointments] = useState<readonly string[]>();
  const [pending, setPending] = useState(false);
  const [failed, setFailed] = useState(false);

  const look = async () => {
    try {
      setAppointments(await appointmentsOf(sessions()));
    } catch {
      setFailed(true);
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it opens
  useEffect(() => {
    look();
  }, []);

  const confirm = async () => {
    if (pending || !appointments) return;
    setPending(true);
    setFailed(false);
    const erased = sessions();
    try {
      await erase(erased, appointments);
      announce(erased);
      forget();
      onClose();
    } catch {
      // Perhaps there is another appointment by now.
      setFailed(true);
      await look();
      setPending(false);
    }
  };
  return (
    <div className="p-5 sm:p-6">
      <h2 className="font-semibold text-ink-900 text-lg" id={title}>
        {texts.title}
      </h2>
      <div className="mt-2 text-[0.9375rem] leading-6" id={description}>
        <p>{texts.text}</p>
        {appointments?.map((appointment) => (
          <p className="mt-2 font-medium text-ink-900" key={appointment}>
            {fill(texts.appointment, { moment: formatMoment(new Date(appointment)) })}
          </p>
        ))}
      </div>
      {failed && (
        <p className="mt-3 text-[0.9375rem] text-bad-700" role="alert">
          {texts.failure}
        </p>
      )}
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        <Button onClick={onClose} variant="secondary">
          {texts.cancel}
        </Button>
        <Button aria-disabled={pending || !appointments} onClick={confirm}>
          {pending ? texts.pending : texts.confirm}
        </Button>
      </div>
    </div>
  );
}
