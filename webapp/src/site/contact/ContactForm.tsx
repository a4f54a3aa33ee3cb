import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { useSearch } from "wouter";
import { contactTexts } from "../../content/contact";
import { fill } from "../../content/fill";
import { Button, LinkButton } from "../../ui/Button";
import { classes } from "../../ui/classes";
import { CheckIcon } from "../../ui/icons";
import { Notice } from "../Notice";
import { useContactForm } from "./useContactForm";
import { type ContactField, messageLimit } from "./validation";

const texts = contactTexts.form;
/** The form's own words are the specification's, in English; the server's are not. */
const english: ReadonlySet<string> = new Set(Object.values(texts.errors));
const order = ["name", "email", "phone", "message"] as const satisfies readonly ContactField[];

/** How many characters before the limit the visitor is told how many are left. */
const limitNear = 500;

/** A message to the clinic. Without JavaScript the browser sends the form itself. */
export function ContactForm() {
  const form = useContactForm();
  const sentWithoutScript = useSearch().includes("enviado=1");
  const element = useRef<HTMLFormElement>(null);
  const returning = useRef(false);
  const scripted = useScripted();

  // biome-ignore lint/correctness/useExhaustiveDependencies: before it was drawn, once
  useEffect(() => {
    const written = (name: ContactField) => field(element.current, name)?.value ?? "";
    form.prefill({
      name: written("name"),
      email: written("email"),
      phone: written("phone"),
      message: written("message"),
    });
  }, []);

  useEffect(() => {
    if (!form.sent && returning.current) field(element.current, "name")?.focus();
    returning.current = form.sent;
  }, [form.sent]);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const wrong = await form.send(field(element.current, "website")?.value ?? "");
    const first = order.find((name) => wrong[name]);
    if (first) field(element.current, first)?.focus();
  };

  if (form.sent || sentWithoutScript) {
    return <Thanks focused={form.sent} onAgain={form.sent ? form.again : undefined} />;
  }
  const fieldProps = (name: ContactField) => ({
    name,
    value: form.values[name],
    error: form.errors[name],
    onChange: (value: string) => form.change(name, value),
  });
  const { length } = form.values.message;

  return (
    <form
      action="/contact"
      className="flex flex-col gap-5"
      method="post"
      noValidate={scripted}
      onSubmit={submit}
      ref={element}
    >
      {form.failed && <Notice failed text={texts.toasts.failure.description} />}
      <p className="text-[0.9375rem] text-ink-600">{texts.intro}</p>
      <Field
        {...fieldProps("name")}
        autoComplete="name"
        label={texts.name.label}
        maxLength={200}
        minLength={2}
        placeholder={texts.name.placeholder}
        required
        type="text"
      />
      <Field
        {...fieldProps("email")}
        autoComplete="email"
        label={texts.email.label}
        maxLength={320}
        placeholder={texts.email.placeholder}
        required
        type="email"
      />
      <Field
        {...fieldProps("phone")}
        autoComplete="tel"
        hint={texts.phone.hint}
        label={texts.phone.label}
        maxLength={50}
        placeholder={texts.phone.placeholder}
        type="tel"
      />
      <Field
        {...fieldProps("message")}
        counter={length > messageLimit - limitNear ? `${length} / ${messageLimit}` : undefined}
        hint={texts.message.hint}
        label={texts.message.label}
        maxLength={messageLimit}
        minLength={10}
        placeholder={texts.message.placeholder}
        required
        type="area"
      />
      <input
        aria-hidden="true"
        autoComplete="off"
        className="hidden"
        defaultValue=""
        name="website"
        tabIndex={-1}
      />
      <p className="text-[0.9375rem] text-ink-600 leading-6">{fill(texts.privacy)}</p>
      <Button
        aria-disabled={form.pending}
        className="self-start max-sm:w-full"
        size="large"
        type="submit"
      >
        {form.pending ? texts.pending : texts.submit}
      </Button>
    </form>
  );
}

type Control = HTMLInputElement | HTMLTextAreaElement;

function field(form: HTMLFormElement | null, name: string): Control | null {
  return form?.elements.namedItem(name) as Control | null;
}

/** Whether the page's code runs: from then on it validates instead of the browser. */
function useScripted(): boolean {
  const [scripted, setScripted] = useState(false);
  useEffect(() => setScripted(true), []);
  return scripted;
}

interface ThanksProps {
  readonly focused: boolean;
  /** Missing after a form that was sent without JavaScript. */
  readonly onAgain: (() => void) | undefined;
}

function Thanks({ focused, onAgain }: ThanksProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (focused) heading.current?.focus();
  }, [focused]);
  const { success } = texts;
  return (
    <div className="rounded-xl bg-good-50 px-6 py-10 text-center">
      <CheckIcon className="mx-auto size-14 text-good-500" />
      <h3
        className="mt-4 font-semibold text-good-700 text-title outline-none"
        ref={heading}
        tabIndex={-1}
      >
        {success.heading}
      </h3>
      <p className="mx-auto mt-2 max-w-[28rem] text-lg leading-7">{success.text}</p>
      <p className="mt-6">
        {onAgain ? (
          <Button variant="secondary" onClick={onAgain}>
            {success.again}
          </Button>
        ) : (
          <LinkButton href="/contact" variant="secondary">
            {success.again}
          </LinkButton>
        )}
      </p>
    </div>
  );
}

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

function Field({ label, type, error, hint, counter, onChange, ...control }: FieldProps) {
  const id = useId();
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
          lang={english.has(error) ? "en" : undefined}
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
