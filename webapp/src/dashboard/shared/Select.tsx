import type { SelectHTMLAttributes } from "react";
import { classes } from "../../ui/classes";
import { ChevronDownIcon } from "../../ui/icons";

/** The browser's own list of choices, dressed like the buttons beside it. */
export function Select({ className, ...rest }: SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <span className={classes("relative inline-flex", className)}>
      <select
        {...rest}
        className="min-h-9 w-full appearance-none truncate rounded-lg border border-sand-300 bg-white pr-8 pl-3 font-medium text-ink-900 text-sm hover:border-teal-400"
      />
      <ChevronDownIcon className="pointer-events-none absolute top-2.5 right-2.5 size-4 text-ink-500" />
    </span>
  );
}
