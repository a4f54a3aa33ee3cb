import { type KeyboardEvent, useEffect, useRef } from "react";
import { newId } from "../../api/identity";
import { contactTexts } from "../../content/dashboardContacts";
import { interfaceTexts } from "../../content/interface";
import { classes } from "../../ui/classes";
import { CheckIcon, ChevronDownIcon } from "../../ui/icons";
import { showToast } from "../../ui/toasts";
import { serverMessage } from "../shared/serverMessage";
import { usePopup } from "../shared/usePopup";
import { type Contact, type ContactStatus, useStatusChange } from "./queries";
import { statuses } from "./statuses";

const texts = contactTexts;

const tones: Record<ContactStatus, string> = {
  new: "bg-warn-50 text-warn-800",
  contacted: "bg-teal-100 text-teal-800",
  scheduled: "bg-good-50 text-good-700",
  discarded: "bg-sand-100 text-ink-700",
};

const steps: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

interface StatusMenuProps {
  readonly contact: Contact;
  readonly name: string;
}

/** How far the staff has come with a contact, and the way to change it. */
export function StatusMenu({ contact, name }: StatusMenuProps) {
  const { open, toggle, close, root, trigger, leaving } = usePopup();
  const menu = useRef<HTMLDivElement>(null);
  const change = useStatusChange(contact);
  const { status } = contact.state;

  useEffect(() => {
    if (open) menu.current?.querySelector<HTMLElement>("[aria-checked=true]")?.focus();
  }, [open]);

  const set = (wanted: ContactStatus, id = newId()) =>
    change.mutate(
      { change: id, status: wanted },
      {
        onError: (error) =>
          showToast({
            variant: "destructive",
            title: texts.statusFailure(name),
            description: serverMessage(error),
            action: { label: interfaceTexts.retry, onSelect: () => set(wanted, id) },
          }),
      },
    );

  const move = (event: KeyboardEvent) => {
    const items = Array.from(menu.current?.querySelectorAll<HTMLElement>("[role]") ?? []);
    const at = items.indexOf(document.activeElement as HTMLElement);
    const target = steps[event.key]?.(at, items.length);
    if (target === undefined) return;
    event.preventDefault();
    items[target]?.focus();
  };

  return (
    <div className="relative" ref={root} {...leaving}>
      <button
        aria-expanded={open}
        aria-haspopup="menu"
        aria-label={texts.changeStatus(name, texts.status[status])}
        className={classes(
          "inline-flex min-h-9 items-center gap-1.5 rounded-full px-3.5 font-semibold text-sm",
          tones[status],
        )}
        onClick={toggle}
        ref={trigger}
        type="button"
      >
        {texts.status[status]}
        <ChevronDownIcon className="no-print size-4" />
      </button>
      {open && (
        <div
          aria-label={texts.statusMenu(name)}
          className="absolute top-full left-0 z-20 mt-1.5 w-44 rounded-xl border border-sand-200 bg-white p-1.5 shadow-float lg:right-0 lg:left-auto"
          onKeyDown={move}
          ref={menu}
          role="menu"
          tabIndex={-1}
        >
          {statuses.map((one) => (
            <button
              aria-checked={one === status}
              className="flex min-h-10 w-full items-center justify-between rounded-lg px-3 text-left text-[0.9375rem] text-ink-900 hover:bg-sand-100 focus-visible:bg-sand-100"
              key={one}
              onClick={() => {
                close();
                if (one !== status) set(one);
              }}
              role="menuitemradio"
              tabIndex={-1}
              type="button"
            >
              {texts.status[one]}
              {one === status && <CheckIcon className="size-4 text-teal-700" />}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
