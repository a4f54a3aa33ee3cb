import type { SelectHTMLAttributes } from "react";
import { classes } from "../../ui/classes";
import { ChevronDownIcon } from "../../ui/icons";

export interface SelectProps<Value extends string>
  extends Omit<SelectHTMLAttributes<HTMLSelectElement>, "onChange" | "onSelect" | "value"> {
  /** The choices in their order; an empty value stands for none of the others. */
  readonly options: readonly (readonly [value: Value, name: string])[];
  readonly value: Value;
  readonly onSelect: (value: Value) => void;
}

/** The browser's own list of choices, dressed like the buttons beside it. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { className, options, onSelect, ...rest } = props;
  return (
    <span className={classes("relative inline-flex", className)}>
      <select
        {...rest}
        className="min-h-9 w-full appearance-none truncate rounded-lg border border-sand-300 bg-white pr-8 pl-3 font-medium text-ink-900 text-sm hover:border-teal-400"
        onChange={({ target }) => onSelect(target.value as Value)}
      >
        {options.map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      <ChevronDownIcon className="pointer-events-none absolute top-2.5 right-2.5 size-4 text-ink-500" />
    </span>
  );
}
