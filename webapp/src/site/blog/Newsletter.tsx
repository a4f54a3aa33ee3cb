import { type FormEvent, useId, useState } from "react";
import { useSearch } from "wouter";
import { useOutcome, useTexts } from "../../api/content";
import { send } from "../../api/send";
import { clinic } from "../../content/clinic";
import { Button } from "../../ui/Button";
import { MailIcon } from "../../ui/icons";

/** What a page after a form says, by the word in its address. Any other word is the link of a letter. */
const told = {
  pedido: "asked",
  confirmado: "confirmed",
  baja: "cancelled",
  caducado: "expired",
  fallo: "failed",
} as const;

/** Takes an address where the clinic has a newsletter; elsewhere it is a box that triggers nothing. */
export function Newsletter() {
  const id = useId();
  const texts = useTexts("blog").listing.newsletter;
  const { active } = texts;
  const answered = useOutcome("newsletter").data as string | undefined;
  const [, addressed] = /(?:^|&)boletin=([^&]*)/.exec(useSearch()) ?? [];
  const [state, setState] = useState(answered ?? addressed);
  const outcome = told[state as keyof typeof told];

  const subscribe = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!clinic.newsletter) return;
    const email = String(new FormData(event.currentTarget).get("email"));
    try {
      await send("/api/newsletter", { body: { email } });
      setState("pedido");
    } catch {
      setState("fallo");
    }
  };

  return (
    <section aria-labelledby={`${id}-heading`} className="scroll-mt-28 bg-sand-100" id="boletin">
      <div className="page page-section">
        <div className="mx-auto max-w-2xl text-center">
          <MailIcon className="mx-auto size-10 text-teal-600" />
          <h2 className="mt-3 font-semibold text-teal-900 text-title" id={`${id}-heading`}>
            {texts.heading}
          </h2>
          <p className="mt-3 text-lg leading-7">{clinic.newsletter ? active.text : texts.text}</p>
          <p className="mt-4 font-medium text-lg text-teal-900 empty:hidden" role="status">
            {outcome && active[outcome]}
          </p>
          {clinic.newsletter && state && !outcome ? (
            <Decision />
          ) : (
            <form
              action="/blog"
              className="mx-auto mt-6 flex max-w-lg flex-col gap-3 sm:flex-row"
              method="post"
              onSubmit={subscribe}
            >
              <input
                aria-describedby={`${id}-privacy`}
                aria-label={texts.label}
                autoComplete="email"
                className="min-h-13 flex-1 rounded-xl border border-ink-400 bg-white px-4 text-base text-ink-900 placeholder:text-ink-500 focus-visible:border-teal-600 focus-visible:outline-1 focus-visible:outline-offset-0"
                name="email"
                placeholder={texts.placeholder}
                type="email"
              />
              <Button name="accion" size="large" type="submit" value="pedir">
                {texts.submit}
              </Button>
            </form>
          )}
          <p className="mt-4 text-ink-600 text-sm" id={`${id}-privacy`}>
            {texts.privacy}
          </p>
        </div>
      </div>
    </section>
  );
}

/** Sends what is decided back to the letter's own address, also without JavaScript. */
function Decision() {
  const { active } = useTexts("blog").listing.newsletter;
  return (
    <form className="mt-6 flex flex-wrap justify-center gap-3" method="post">
      <Button name="accion" size="large" type="submit" value="confirmar">
        {active.confirm}
      </Button>
      <Button name="accion" size="large" type="submit" value="baja" variant="secondary">
        {active.cancel}
      </Button>
    </form>
  );
}
