import { useTexts } from "../api/content";
import { LinkButton } from "../ui/Button";
import { ArrowRightIcon } from "../ui/icons";
import { ActionBand } from "./ActionBand";
import { BookingLink } from "./BookingLink";

/** Leads from a page's end to an appointment. */
export function CallToAction() {
  const { heading, text, book, contact } = useTexts("site").callToAction;
  return (
    <ActionBand heading={heading} text={text}>
      <BookingLink size="large" variant="inverse">
        {book}
        <ArrowRightIcon />
      </BookingLink>
      <LinkButton href="/contact" size="large" variant="outline">
        {contact}
      </LinkButton>
    </ActionBand>
  );
}
