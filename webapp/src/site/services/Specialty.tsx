import type { Schemas } from "../../api/client";
import { useTexts } from "../../api/content";
import { clinic, withPhoneWhole } from "../../content/clinic";
import type { SpecialtyTexts } from "../../content/specialties";
import { ButtonLink, LinkButton } from "../../ui/Button";
import { classes } from "../../ui/classes";
import { ArrowRightIcon, PhoneIcon } from "../../ui/icons";
import { ActionBand } from "../ActionBand";
import { BookingLink } from "../BookingLink";
import { ServiceFacts } from "./ServiceFacts";
import { ServiceHero } from "./ServiceHero";
import { Section } from "./sections";

interface SpecialtyProps {
  readonly texts: SpecialtyTexts;
  readonly service: Schemas["Service"];
}

/** The page of a service in sections, under the picture of its record. */
export function Specialty({ texts, service }: SpecialtyProps) {
  const { hero, sections, closing } = texts;
  const { questions: heading } = useTexts("services").detail;
  return (
    <>
      <ServiceHero service={service} text={hero.text} title={hero.title}>
        {(hero.book || hero.process) && <HeroLinks {...hero} />}
      </ServiceHero>
      <ServiceFacts service={service} />
      {withQuestions(sections, service.questions, heading).map((section, index) => (
        <section
          className={classes("scroll-mt-20", index % 2 === 1 && "bg-sand-50")}
          id={section.id}
          key={section.id}
        >
          <div className="page page-section">
            <Section section={section} />
          </div>
        </section>
      ))}
      <Closing {...closing} />
    </>
  );
}

/** The sections with the questions that the clinic answers, unless they contain some of their own. */
function withQuestions(
  sections: SpecialtyTexts["sections"],
  items: Schemas["Service"]["questions"],
  heading: string,
): SpecialtyTexts["sections"] {
  if (!items || sections.some(({ kind }) => kind === "faq")) return sections;
  return [...sections, { kind: "faq", id: "preguntas", heading, items }];
}

function HeroLinks({ book, process, processAnchor }: SpecialtyTexts["hero"]) {
  return (
    <>
      {book && (
        <BookingLink variant="inverse" size="large">
          {book}
        </BookingLink>
      )}
      {process && (
        <ButtonLink href={`#${processAnchor}`} variant="outline" size="large">
          {process}
        </ButtonLink>
      )}
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
          {withPhoneWhole(phone)}
        </ButtonLink>
      )}
    </ActionBand>
  );
}
