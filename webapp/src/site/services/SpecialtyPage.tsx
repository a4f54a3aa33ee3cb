import type { ComponentType } from "react";
import { useContent } from "../../api/content";
import { clinic } from "../../content/clinic";
import { fillAll } from "../../content/fill";
import type { SpecialtyTexts } from "../../content/specialties";
import { ButtonLink, ExternalButtonLink, LinkButton } from "../../ui/Button";
import { classes } from "../../ui/classes";
import { ArrowRightIcon, PhoneIcon } from "../../ui/icons";
import { ServiceHero } from "./ServiceHero";
import { ServiceSkeleton } from "./ServiceSkeleton";
import { Section } from "./sections";

/** The page of a specialty: its texts, under the picture of its record. */
export function specialtyPage(texts: SpecialtyTexts): ComponentType<{ readonly slug: string }> {
  return ({ slug }) => {
    const { data, pending } = useContent(`/api/services/slug/${slug}`);
    if (pending) return <ServiceSkeleton />;
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
            <ExternalButtonLink href={clinic.links.booking} variant="inverse" size="large">
              {hero.book}
            </ExternalButtonLink>
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
    <section className="bg-teal-800">
      <div className="page flex flex-col items-start gap-8 py-16 sm:py-20 lg:flex-row lg:items-center lg:justify-between">
        <div>
          <h2 className="text-balance font-semibold text-title text-white">{heading}</h2>
          <p className="mt-3 max-w-[36rem] text-lg text-teal-100 leading-8">{text}</p>
        </div>
        <div className="flex flex-wrap gap-3 lg:shrink-0">
          <ExternalButtonLink href={clinic.links.booking} variant="inverse" size="large">
            {book}
            <ArrowRightIcon />
          </ExternalButtonLink>
          {all && (
            <LinkButton href="/services" variant="outline" size="large">
              {all}
            </LinkButton>
          )}
          {phone && (
            <ButtonLink href={clinic.phones[0].href} variant="outline" size="large">
              <PhoneIcon />
              {phone}
            </ButtonLink>
          )}
        </div>
      </div>
    </section>
  );
}
