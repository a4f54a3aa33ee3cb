import { homeTexts } from "../../content/home";
import { LinkButton } from "../../ui/Button";
import { ArrowRightIcon } from "../../ui/icons";
import { SectionHeading } from "../SectionHeading";
import { ServiceGrid } from "../services/ServiceGrid";

const { heading, intro, all } = homeTexts.services;

/** The services that the clinic puts first. */
export function FeaturedServices() {
  return (
    <section className="bg-sand-100">
      <div className="page py-16 sm:py-24">
        <SectionHeading heading={heading} intro={intro} />
        <div className="mt-10">
          <ServiceGrid path="/api/services/featured" placeholders={3} texts={homeTexts.services} />
        </div>
        <LinkButton className="mt-10" href="/services" variant="secondary" size="large">
          {all}
          <ArrowRightIcon />
        </LinkButton>
      </div>
    </section>
  );
}
