import { type RefObject, useEffect, useRef } from "react";
import { create } from "zustand";
import { readStored, writeStored } from "../../ui/storage";
import { focusRow } from "../shared/rows";
import { presets } from "../shared/state/presets";
import type { Dashboard } from "../shared/state/useDashboard";

const storageKey = "bitacora-shortcuts";

/** Whether single keys do something: whoever dictates or has a tremor can switch them off. */
export const useShortcutsOn = create<{ readonly on: boolean; set(on: boolean): void }>()((set) => ({
  on: readStored(storageKey) !== "off",
  set(on) {
    set({ on });
    writeStored(storageKey, on ? "on" : "off");
  },
}));

/** Whether a key typed into this element is text, or moves something there. */
function takesKeys(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest("input, select, textarea, [contenteditable], [role=dialog], dialog") !== null
  );
}

/** Calls `actions[key]`, keys in lower case, when a key is pressed beside any field or dialog. */
function useShortcuts(actions: Readonly<Record<string, () => void>>): void {
  const on = useShortcutsOn((state) => state.on);
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    if (!on) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (takesKeys(event.target) || document.querySelector("dialog[open]")) return;
      const action = latest.current[event.key.toLowerCase()];
      if (!action) return;
      event.preventDefault();
      action();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [on]);
}

/** The keys of every page with a list: `j` and `k` walk it, `?` helps. */
const listKeys = (onHelp: () => void) => ({
  "?": onHelp,
  j: () => focusRow(1),
  k: () => focusRow(-1),
});

/** The keys of a page that is a list. */
export function useListShortcuts(onHelp: () => void): void {
  useShortcuts(listKeys(onHelp));
}

/** The keys of the dashboard: a letter for each frequent period, `b` searches, and those of a list. */
export function useDashboardShortcuts(
  { today, pick, setView }: Dashboard,
  search: RefObject<HTMLInputElement | null>,
  onHelp: () => void,
): void {
  useShortcuts({
    ...Object.fromEntries(presets.map(({ key, days }) => [key, () => pick(days(today))])),
    ...listKeys(onHelp),
    b() {
      setView({ tab: "conversations" }, "replace");
      requestAnimationFrame(() => search.current?.focus());
    },
  });
}
