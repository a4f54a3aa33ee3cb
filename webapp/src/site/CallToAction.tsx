import { clinic } from "../content/clinic";
import { siteTexts } from "../content/site";
import { ExternalButtonLink, LinkButton } from "../ui/Button";
import { ArrowRightIcon } from "../ui/icons";

const { heading, text, book, contact } = siteTexts.callToAction;

/** The band that leads from a page's end to an appointment. */
export function CallToAction() {
  return (
    <section className="bg-teal-800">
      <div className="page flex flex-col items-start gap-8 py-16 sm:py-20 lg:flex-row lg:items-center lg:justify-between">
        <div>
          <h2 className="text-balance font-semibold text-title text-white">{heading}</h2>
          <p className="mt-3 max-w-[36rem] text-lg text-teal-100 leading-8">{text}</p>
        </div>
        <div className="flex flex-wrap gap-3">
          <ExternalButtonLink href={clinic.links.booking} variant="inverse" size="large">
            {book}
            <ArrowRightIcon />
          </ExternalButtonLink>
          <LinkButton href="/contact" variant="outline" size="large">
            {contact}
          </LinkButton>
        </div>
      </div>
    </section>
  );
}
