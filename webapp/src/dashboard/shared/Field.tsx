import { type InputHTMLAttributes, useId } from "react";

interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "onChange"> {
  readonly label: string;
  readonly onText: (text: string) => void;
}

/** A labelled line of text. */
export function Field({ label, onText, ...rest }: FieldProps) {
  const id = useId();
  return (
    <label className="block font-medium text-ink-700 text-sm" htmlFor={id}>
      {label}
      <input
        {...rest}
        className="mt-1 block min-h-11 w-full rounded-lg border border-sand-300 bg-white px-3 text-base text-ink-900"
        id={id}
        onChange={({ target }) => onText(target.value)}
      />
    </label>
  );
}
