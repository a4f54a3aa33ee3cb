import { useEffect, useRef } from "react";
import { useTexts } from "../../api/content";
import { Button, ButtonLink } from "../../ui/Button";
import { CheckIcon } from "../../ui/icons";

interface ThanksProps {
  readonly id: string;
  readonly focused: boolean;
  /** Missing after a form that was sent without JavaScript. */
  readonly onAgain: (() => void) | undefined;
}

/** Replaces a form that was sent. */
export function Thanks({ focused, id, onAgain }: ThanksProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (focused) heading.current?.focus();
  }, [focused]);
  const { success } = useTexts("contact").form;
  return (
    <div className="scroll-mt-28 rounded-xl bg-good-50 px-6 py-10 text-center" id={id}>
      <CheckIcon className="mx-auto size-14 text-good-500" />
      <h3
        className="mt-4 font-semibold text-good-700 text-title outline-none"
        ref={heading}
        tabIndex={-1}
      >
        {success.heading}
      </h3>
      <p className="mx-auto mt-2 max-w-[28rem] text-lg leading-7">{success.text}</p>
      <p className="mx-auto mt-3 max-w-[28rem] text-[0.9375rem] text-ink-600">{success.request}</p>
      <p className="mt-6">
        {onAgain ? (
          <Button variant="secondary" onClick={onAgain}>
            {success.again}
          </Button>
        ) : (
          <ButtonLink href={`/contact#${id}`} variant="secondary">
            {success.again}
          </ButtonLink>
        )}
      </p>
    </div>
  );
}
