import { useEffect, useRef } from "react";
import { useSearch } from "wouter";
import type { Schemas } from "../../api/client";
import { useOutcome, useTexts } from "../../api/content";
import { formatMoment } from "../../content/dates";
import { fill } from "../../content/fill";
import { Button, LinkButton } from "../../ui/Button";
import { CheckIcon } from "../../ui/icons";

/**
 * Lets the browser erase the conversations that it began. It is a plain form, which works without
 * JavaScript: the server answers it with what there is to erase.
 */
export function EraseForm() {
  const erasure = useOutcome("erasure").data as Schemas["Erasure"] | undefined;
  const erased = useSearch().includes("borrado=1");
  return (
    <section
      className="mt-11 scroll-mt-28 rounded-card border border-sand-200 bg-sand-50 p-6 sm:p-8"
      id="borrar"
    >
      {erased ? <Erased /> : erasure ? <Question erasure={erasure} /> : <Offer />}
    </section>
  );
}

const heading = "font-semibold text-2xl text-teal-900 leading-8 tracking-tight outline-none";

function Offer() {
  const texts = useTexts("privacy").erase;
  return (
    <form action="/privacidad" method="post">
      <h2 className={heading}>{texts.heading}</h2>
      <p className="mt-3 text-pretty text-lg leading-8">{texts.text}</p>
      <Button className="mt-5" type="submit" variant="secondary">
        {texts.button}
      </Button>
    </form>
  );
}

/** What would be erased, or that there is nothing. */
function Question({ erasure }: { readonly erasure: Schemas["Erasure"] }) {
  const texts = useTexts("privacy").erase;
  const { conversations, appointments, problem } = erasure;
  const title = useTakesFocus();
  if (problem) {
    return (
      <>
        <p className="mb-6 font-medium text-bad-700" role="alert">
          {texts.problem} {problem}
        </p>
        <Offer />
      </>
    );
  }
  if (conversations === 0) {
    return (
      <p className="text-pretty text-lg leading-8" role="status">
        {texts.none}
      </p>
    );
  }
  const { asks } = texts;
  return (
    <form action="/privacidad" method="post">
      <h2 className={heading} ref={title} tabIndex={-1}>
        {asks.heading}
      </h2>
      <p className="mt-3 text-lg leading-8">
        {conversations === 1 ? asks.one : fill(asks.many, { count: conversations })}
      </p>
      {appointments.map((appointment) => (
        <p className="mt-2 font-medium text-ink-900 text-lg" key={appointment}>
          {asks.appointments} {formatMoment(new Date(appointment))}
          <input name="cita" type="hidden" value={appointment} />
        </p>
      ))}
      <input name="confirmado" type="hidden" value="1" />
      <div className="mt-5 flex flex-wrap gap-3">
        <Button type="submit">{asks.confirm}</Button>
        <LinkButton href="/privacidad" variant="secondary">
          {asks.keep}
        </LinkButton>
      </div>
    </form>
  );
}

/** After it: the chat of this and of other tabs begins anew. */
function Erased() {
  const texts = useTexts("privacy").erase;
  const title = useTakesFocus();
  useEffect(() => {
    import("../../api/erasure").then(({ announce }) => announce("all"));
  }, []);
  return (
    <div className="flex gap-4">
      <CheckIcon className="mt-0.5 size-8 shrink-0 text-good-500" />
      <div>
        <h2 className={heading} ref={title} tabIndex={-1}>
          {texts.done.heading}
        </h2>
        <p className="mt-2 text-pretty text-lg leading-8">{texts.done.text}</p>
      </div>
    </div>
  );
}

/** Brings an answer of the server into sight. */
function useTakesFocus() {
  const element = useRef<HTMLHeadingElement>(null);
  useEffect(() => element.current?.focus(), []);
  return element;
}
