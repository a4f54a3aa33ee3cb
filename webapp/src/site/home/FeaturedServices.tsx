import { useTexts } from "../../api/content";
import { LinkButton } from "../../ui/Button";
import { ArrowRightIcon } from "../../ui/icons";
import { SectionHeading } from "../SectionHeading";
import { ServiceGrid } from "../services/ServiceGrid";

/** The services that the clinic puts first. */
export function FeaturedServices() {
  const texts = useTexts("home").services;
  const { heading, intro, all } = texts;
  return (
    <section className="bg-sand-100">
      <div className="page page-section">
        <SectionHeading heading={heading} intro={intro} />
        <div className="mt-10">
          <ServiceGrid path="/api/services/featured" placeholders={3} row={heading} texts={texts} />
        </div>
        <LinkButton className="mt-10" href="/services" variant="secondary" size="large">
          {all}
          <ArrowRightIcon />
        </LinkButton>
      </div>
    </section>
  );
}
