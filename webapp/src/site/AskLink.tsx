import { useTexts } from "../api/content";
import { ButtonLink, type ButtonLinkProps } from "../ui/Button";

/** The way to a question in the chat; where there is no chat, or no script, to the contact form. */
export function AskLink(props: Pick<ButtonLinkProps, "className" | "size">) {
  const { ask } = useTexts("site").agenda;
  return (
    <ButtonLink {...props} data-ask="" href="/contact#mensaje" variant="secondary">
      {ask}
    </ButtonLink>
  );
}
