import { useId } from "react";
import { useTexts } from "../../api/content";
import { classes } from "../../ui/classes";
import type { ContactField } from "./validation";

interface FieldProps {
  readonly name: ContactField;
  readonly label: string;
  readonly type: "text" | "email" | "tel" | "area";
  readonly placeholder: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly hint?: string;
  readonly counter?: string | undefined;
  readonly required?: boolean;
  readonly autoComplete?: string;
  readonly minLength?: number;
  readonly maxLength: number;
  readonly onChange: (value: string) => void;
}

/** A field with its label, its error and what helps to fill it in. */
export function Field({ label, type, error, hint, counter, onChange, ...control }: FieldProps) {
  const id = useId();
  // The form's own words are the specification's, in English; the server's are not.
  const { lang, ...own } = useTexts("contact").form.errors;
  const shared = {
    ...control,
    id,
    "aria-invalid": Boolean(error),
    "aria-describedby":
      classes(error && `${id}-error`, hint && `${id}-hint`, counter && `${id}-count`) || undefined,
    className: classes(
      "mt-1.5 block min-h-12 w-full rounded-xl border border-ink-400 bg-white px-3.5 text-base text-ink-900 placeholder:text-ink-500",
      "focus-visible:border-teal-600 focus-visible:outline-1 focus-visible:outline-offset-0",
      "aria-invalid:border-bad-600 aria-invalid:focus-visible:outline-bad-600",
      type === "area" &&
        "field-sizing-content max-h-96 min-h-36 py-3 leading-6 [overflow-wrap:anywhere]",
    ),
    onChange: ({ target }: { target: { value: string } }) => onChange(target.value),
  };
  return (
    <div>
      <label className="font-medium text-[0.9375rem] text-ink-900" htmlFor={id}>
        {label}
        {control.required && (
          <span aria-hidden="true" className="text-bad-600">
            {" *"}
          </span>
        )}
      </label>
      {type === "area" ? <textarea {...shared} rows={5} /> : <input {...shared} type={type} />}
      {error && (
        <p
          className="mt-1.5 font-medium text-[0.9375rem] text-bad-700"
          id={`${id}-error`}
          lang={Object.values(own).includes(error) ? lang : undefined}
        >
          {error}
        </p>
      )}
      {(hint || counter) && (
        <div className="mt-1.5 flex justify-between gap-4 text-ink-500 text-sm">
          <p id={`${id}-hint`}>{hint}</p>
          {counter && (
            <p className="whitespace-nowrap tabular-nums" id={`${id}-count`}>
              {counter}
            </p>
          )}
        </div>
      )}
    </div>
  );
}
