import { type FormEvent, useId } from "react";
import { useTexts } from "../../api/content";
import { Button } from "../../ui/Button";
import { MailIcon } from "../../ui/icons";

/** A box that triggers nothing: the clinic has no newsletter yet. */
export function Newsletter() {
  const id = useId();
  const { heading, text, label, placeholder, submit, privacy } =
    useTexts("blog").listing.newsletter;
  const stay = (event: FormEvent) => event.preventDefault();
  return (
    <section aria-labelledby={`${id}-heading`} className="bg-sand-100">
      <div className="page page-section">
        <div className="mx-auto max-w-2xl text-center">
          <MailIcon className="mx-auto size-10 text-teal-600" />
          <h2 className="mt-3 font-semibold text-teal-900 text-title" id={`${id}-heading`}>
            {heading}
          </h2>
          <p className="mt-3 text-lg leading-7">{text}</p>
          <form className="mx-auto mt-6 flex max-w-lg flex-col gap-3 sm:flex-row" onSubmit={stay}>
            <input
              aria-describedby={`${id}-privacy`}
              aria-label={label}
              autoComplete="email"
              className="min-h-13 flex-1 rounded-xl border border-ink-400 bg-white px-4 text-base text-ink-900 placeholder:text-ink-500 focus-visible:border-teal-600 focus-visible:outline-1 focus-visible:outline-offset-0"
              placeholder={placeholder}
              type="email"
            />
            <Button size="large" type="submit">
              {submit}
            </Button>
          </form>
          <p className="mt-4 text-ink-600 text-sm" id={`${id}-privacy`}>
            {privacy}
          </p>
        </div>
      </div>
    </section>
  );
}
