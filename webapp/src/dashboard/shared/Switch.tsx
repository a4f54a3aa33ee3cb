import { classes } from "../../ui/classes";

interface SwitchProps {
  readonly label: string;
  readonly on: boolean;
  readonly onToggle: () => void;
}

/** A choice that is on or off. */
export function Switch({ label, on, onToggle }: SwitchProps) {
  return (
    <button
      aria-pressed={on}
      className={classes(
        "min-h-9 whitespace-nowrap rounded-full border px-3.5 font-medium text-sm transition-colors",
        on
          ? "border-teal-700 bg-teal-700 text-white"
          : "border-sand-300 bg-white text-ink-700 hover:border-teal-400",
      )}
      onClick={onToggle}
      type="button"
    >
      {label}
    </button>
  );
}
