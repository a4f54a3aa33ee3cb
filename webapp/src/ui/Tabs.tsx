import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";
import { Boundary } from "./Boundary";
import { classes } from "./classes";

interface Tab<Name extends string> {
  readonly name: Name;
  readonly label: string;
  /** Beside the label. */
  readonly badge?: ReactNode;
  readonly content: ReactNode;
}

interface TabsProps<Name extends string> {
  readonly label: string;
  readonly tabs: readonly Tab<Name>[];
  readonly selected: Name;
  readonly onSelect: (name: Name) => void;
  /** At the other end of the row of tabs. */
  readonly aside?: ReactNode;
}

const steps: Record<string, (index: number, count: number) => number> = {
  ArrowRight: (index, count) => (index + 1) % count,
  ArrowLeft: (index, count) => (index + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** Tabs of which one is shown; arrow keys move between them. */
export function Tabs<Name extends string>({
  label,
  tabs,
  selected,
  onSelect,
  aside,
}: TabsProps<Name>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const index = tabs.findIndex(({ name }) => name === selected);

  const move = (event: KeyboardEvent) => {
    const target = steps[event.key]?.(index, tabs.length);
    const tab = target === undefined ? undefined : tabs[target];
    if (!tab || target === undefined) return;
    event.preventDefault();
    onSelect(tab.name);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[target]?.focus();
  };

  return (
    <div>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div
          aria-label={label}
          className="flex gap-1 rounded-xl border border-sand-200 bg-sand-100 p-1 max-sm:w-full max-sm:flex-wrap sm:inline-flex"
          onKeyDown={move}
          ref={list}
          role="tablist"
        >
          {tabs.map(({ name, label, badge }) => (
            <button
              aria-controls={`${id}-panel`}
              aria-selected={name === selected}
              className={classes(
                "min-h-9 whitespace-nowrap rounded-lg px-1.5 font-semibold text-sm transition-colors max-sm:grow sm:px-4 sm:text-[0.9375rem]",
                name === selected
                  ? "bg-white text-ink-900 shadow-card"
                  : "text-ink-600 hover:text-ink-900",
              )}
              id={`${id}-${name}`}
              key={name}
              onClick={() => onSelect(name)}
              role="tab"
              tabIndex={name === selected ? 0 : -1}
              type="button"
            >
              {label}
              {badge}
            </button>
          ))}
        </div>
        {aside}
      </div>
      <div
        aria-labelledby={`${id}-${selected}`}
        className="mt-4"
        id={`${id}-panel`}
        role="tabpanel"
      >
        <Boundary key={selected}>{tabs[index]?.content}</Boundary>
      </div>
    </div>
  );
}
