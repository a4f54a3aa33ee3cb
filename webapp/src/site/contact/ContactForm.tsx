import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { Link, useSearch } from "wouter";
import { useTexts } from "../../api/content";
import { Button } from "../../ui/Button";
import { Notice } from "../Notice";
import { Field } from "./Field";
import { Thanks } from "./Thanks";
import { useContactForm } from "./useContactForm";
import { type ContactField, messageLimit } from "./validation";

const order = ["name", "email", "phone", "message"] as const satisfies readonly ContactField[];

/** How many characters before the limit the visitor is told how many are left. */
const limitNear = 500;

/** Where the form stands, and what takes its place: a browser without JavaScript comes back to it. */
const place = "mensaje";

/** A message to the clinic. Without JavaScript the browser sends the form itself. */
export function ContactForm() {
  const texts = useTexts("contact").form;
  const form = useContactForm();
  const sentWithoutScript = useSearch().includes("enviado=1");
  const element = useRef<HTMLFormElement>(null);
  const returning = useRef(false);
  const scripted = useScripted();

  // Before any event reaches the form: sent at once, it would be refused as empty.
  // biome-ignore lint/correctness/useExhaustiveDependencies: before it was drawn, once
  useLayoutEffect(() => {
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
    return <Thanks focused={form.sent} id={place} onAgain={form.sent ? form.again : undefined} />;
  }
  const fieldProps = (name: ContactField) => ({
    name,
    label: texts[name].label,
    placeholder: texts[name].placeholder,
    value: form.values[name],
    error: form.errors[name],
    onChange: (value: string) => form.change(name, value),
  });
  const { length } = form.values.message;

  return (
    <form
      action={`/contact#${place}`}
      className="flex scroll-mt-28 flex-col gap-5"
      id={place}
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
        maxLength={200}
        minLength={2}
        required
        type="text"
      />
      <Field {...fieldProps("email")} autoComplete="email" maxLength={320} required type="email" />
      <Field
        {...fieldProps("phone")}
        autoComplete="tel"
        hint={texts.phone.hint}
        maxLength={50}
        type="tel"
      />
      <Field
        {...fieldProps("message")}
        counter={length > messageLimit - limitNear ? `${length} / ${messageLimit}` : undefined}
        hint={texts.message.hint}
        maxLength={messageLimit}
        minLength={10}
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
      <p className="text-[0.9375rem] text-ink-600 leading-6">
        {texts.privacy}{" "}
        <Link className="font-medium text-teal-700 underline underline-offset-4" href="/privacidad">
          {texts.privacyLink}
        </Link>
      </p>
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
