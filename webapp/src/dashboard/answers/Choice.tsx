import { useId } from "react";
import { Select } from "../shared/Select";
import { Hint } from "./TextField";

interface ChoiceProps {
  readonly label: string;
  /** The word for none of them. */
  readonly none: string;
  readonly options: readonly (readonly [value: string, name: string])[];
  readonly selected: string;
  readonly wrong?: string | undefined;
  readonly onSelect: (value: string) => void;
}

/** A labelled list of choices, one of which is none. */
export function Choice({ label, none, options, selected, wrong, onSelect }: ChoiceProps) {
  const id = useId();
  return (
    <div className="min-w-0 flex-1 basis-48">
      <label className="block font-medium text-ink-700 text-sm" htmlFor={id}>
        {label}
      </label>
      <Select
        aria-describedby={`${id}-hint`}
        aria-invalid={wrong !== undefined}
        className="mt-1 w-full"
        id={id}
        onSelect={onSelect}
        options={[["", none], ...options]}
        value={selected}
      />
      <Hint id={`${id}-hint`} wrong={wrong} />
    </div>
  );
}
