import { clinic } from "../content/clinic";
import { siteTexts } from "../content/site";
import { ExternalButtonLink, LinkButton } from "../ui/Button";
import { ArrowRightIcon } from "../ui/icons";
import { ActionBand } from "./ActionBand";

const { heading, text, book, contact } = siteTexts.callToAction;

/** Leads from a page's end to an appointment. */
export function CallToAction() {
  return (
    <ActionBand heading={heading} text={text}>
      <ExternalButtonLink href={clinic.links.booking} size="large" variant="inverse">
        {book}
        <ArrowRightIcon />
      </ExternalButtonLink>
      <LinkButton href="/contact" size="large" variant="outline">
        {contact}
      </LinkButton>
    </ActionBand>
  );
}
