import { useId } from "react";
import { classes } from "../../ui/classes";
import { Select, type SelectProps } from "./Select";
import { Hint } from "./TextField";

interface ChoiceProps extends SelectProps<string> {
  readonly label: string;
  /** What is wrong with what is chosen. */
  readonly wrong?: string | undefined;
}

/** A labelled list of choices. */
export function Choice({ label, wrong, className, ...select }: ChoiceProps) {
  const id = useId();
  return (
    <div className={classes("min-w-0", className)}>
      <label className="block font-medium text-ink-700 text-sm" htmlFor={id}>
        {label}
      </label>
      <Select
        {...select}
        aria-describedby={wrong && `${id}-hint`}
        aria-invalid={wrong !== undefined}
        className="mt-1 w-full [&>select]:min-h-11 [&>svg]:top-3.5"
        id={id}
      />
      {wrong && <Hint id={`${id}-hint`} wrong={wrong} />}
    </div>
  );
}
