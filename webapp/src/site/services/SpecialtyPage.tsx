import type { ComponentType } from "react";
import { useContent } from "../../api/content";
import { clinic } from "../../content/clinic";
import { fillAll } from "../../content/fill";
import type { SpecialtyTexts } from "../../content/specialties";
import { ButtonLink, LinkButton } from "../../ui/Button";
import { classes } from "../../ui/classes";
import { ArrowRightIcon, PhoneIcon } from "../../ui/icons";
import { ActionBand } from "../ActionBand";
import { BookingLink } from "../BookingLink";
import { ServiceFailure } from "./ServiceFailure";
import { ServiceHero } from "./ServiceHero";
import { ServiceSkeleton } from "./ServiceSkeleton";
import { Section } from "./sections";

/** The page of a specialty: its texts, under the picture of its record. */
export function specialtyPage(texts: SpecialtyTexts): ComponentType<{ readonly slug: string }> {
  return ({ slug }) => {
    const { data, pending, failed, missing, load } = useContent(`/api/services/slug/${slug}`);
    if (pending) return <ServiceSkeleton />;
    if (failed && !missing) return <ServiceFailure onRetry={load} />;
    return data ? <Specialty imageUrl={data.imageUrl} texts={texts} /> : null;
  };
}

interface SpecialtyProps {
  readonly texts: SpecialtyTexts;
  readonly imageUrl: string | undefined;
}

function Specialty({ texts, imageUrl }: SpecialtyProps) {
  const { hero, sections, closing } = fillAll(texts);
  return (
    <>
      <ServiceHero imageUrl={imageUrl} text={hero.text} title={hero.title}>
        {hero.book && (
          <>
            <BookingLink variant="inverse" size="large">
              {hero.book}
            </BookingLink>
            <ButtonLink href={`#${hero.processAnchor}`} variant="outline" size="large">
              {hero.process}
            </ButtonLink>
          </>
        )}
      </ServiceHero>
      {sections.map((section, index) => (
        <section
          className={classes("scroll-mt-20", index % 2 === 1 && "bg-sand-50")}
          id={section.id}
          key={section.id}
        >
          <div className="page py-14 sm:py-18">
            <Section section={section} />
          </div>
        </section>
      ))}
      <Closing {...closing} />
    </>
  );
}

function Closing({ heading, text, book, all, phone }: SpecialtyTexts["closing"]) {
  return (
    <ActionBand className="lg:shrink-0" heading={heading} text={text}>
      <BookingLink size="large" variant="inverse">
        {book}
        <ArrowRightIcon />
      </BookingLink>
      {all && (
        <LinkButton href="/services" size="large" variant="outline">
          {all}
        </LinkButton>
      )}
      {phone && (
        <ButtonLink href={clinic.phones[0].href} size="large" variant="outline">
          <PhoneIcon />
          {phone}
        </ButtonLink>
      )}
    </ActionBand>
  );
}
