import { siteTexts } from "../content/site";
import { LinkButton } from "../ui/Button";
import { ArrowRightIcon } from "../ui/icons";
import { ActionBand } from "./ActionBand";
import { BookingLink } from "./BookingLink";

const { heading, text, book, contact } = siteTexts.callToAction;

/** Leads from a page's end to an appointment. */
export function CallToAction() {
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
