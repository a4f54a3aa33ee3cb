import { type ReactNode, type Ref, type TextareaHTMLAttributes, useId } from "react";

interface TextFieldProps extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "onChange"> {
  readonly label: string;
  readonly hint?: ReactNode;
  /** What is wrong with what was typed. */
  readonly wrong?: string | undefined;
  readonly onText: (text: string) => void;
  readonly ref?: Ref<HTMLTextAreaElement>;
}

/** A labelled field for several lines, with what is wrong with it. */
export function TextField({ label, hint, wrong, onText, ...rest }: TextFieldProps) {
  const id = useId();
  return (
    <div>
      <label className="block font-medium text-ink-700 text-sm" htmlFor={id}>
        {label}
      </label>
      <textarea
        {...rest}
        aria-describedby={`${id}-hint`}
        aria-invalid={wrong !== undefined}
        className="mt-1 block w-full rounded-lg border border-sand-300 bg-white px-3 py-2 text-base text-ink-900 placeholder:text-ink-500"
        id={id}
        onChange={({ target }) => onText(target.value)}
      />
      <Hint hint={hint} id={`${id}-hint`} wrong={wrong} />
    </div>
  );
}

interface HintProps {
  readonly id: string;
  readonly hint?: ReactNode;
  readonly wrong?: string | undefined;
}

/** What helps with a field, or is wrong with it. */
export function Hint({ id, hint, wrong }: HintProps) {
  return (
    <p className="mt-1 text-sm [overflow-wrap:anywhere]" id={id}>
      {wrong ? (
        <span className="text-bad-700">{wrong}</span>
      ) : (
        <span className="text-ink-500">{hint}</span>
      )}
    </p>
  );
}
