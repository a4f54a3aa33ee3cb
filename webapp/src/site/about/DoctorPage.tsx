import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Schemas } from "../../api/client";
import { useContent, useTexts } from "../../api/content";
import { fill } from "../../content/fill";
import { LinkButton } from "../../ui/Button";
import { CheckIcon, ChevronLeftIcon } from "../../ui/icons";
import { AskLink } from "../AskLink";
import { CallToAction } from "../CallToAction";
import { Fact } from "../Fact";
import { Html } from "../Html";
import { ownPicture } from "../images";
import { NextFree } from "../NextFree";
import { PageBanner } from "../PageBanner";
import { isDrawn, Portrait } from "../Portrait";

/** The page of one professional. */
export default function DoctorPage({ slug }: { readonly slug: string }) {
  const texts = useTexts("doctor");
  const { data: doctor } = useContent(`/api/doctors/slug/${slug}`);
  if (!doctor) return null;
  const { name, title, specialty, specialties, training, affiliations, service } = doctor;
  return (
    <>
      <PageBanner eyebrow={title} text={specialty} title={name} />
      <div className="page grid items-start gap-x-16 gap-y-12 page-section lg:grid-cols-[22rem_1fr]">
        <aside aria-label={name} className="lg:sticky lg:top-28">
          <Portrait
            className="aspect-square w-full max-w-sm rounded-card"
            label={fill(texts.photoAlt, { name })}
            name={name}
            own={ownPicture(`doctors/${slug}`)}
            slug={slug}
          />
          {isDrawn(slug) && <p className="mt-2 text-ink-500 text-sm">{texts.drawn}</p>}
          <DoctorFacts doctor={doctor} />
          <div className="mt-6 flex max-w-sm flex-col gap-3">
            <LinkButton href="/contact" size="large">
              {texts.book}
            </LinkButton>
            {service && (
              <LinkButton href={service.path} variant="secondary" size="large">
                {fill(texts.service, { service: service.title.toLowerCase() })}
              </LinkButton>
            )}
            <AskLink size="large" />
          </div>
        </aside>
        <div className="flex flex-col gap-12">
          <Part heading={texts.profile}>
            <div className="mt-4 max-w-[65ch]">
              <Html content={doctor.content} />
            </div>
          </Part>
          {specialties.length > 0 && (
            <Part heading={texts.specialties}>
              <ul className="mt-5 grid gap-x-8 gap-y-3.5 sm:grid-cols-2">
                {specialties.map((item) => (
                  <li className="flex gap-3 leading-6" key={item}>
                    <CheckIcon className="size-6 shrink-0 text-teal-600" />
                    {item}
                  </li>
                ))}
              </ul>
            </Part>
          )}
          {training.length + affiliations.length > 0 && (
            <div className="grid gap-x-10 gap-y-12 border-sand-200 border-t pt-12 md:grid-cols-2">
              <Lines heading={texts.training} items={training} />
              <Lines heading={texts.affiliations} items={affiliations} />
            </div>
          )}
          <Link
            className="inline-flex min-h-11 items-center gap-1 self-start rounded-lg font-semibold text-teal-700 hover:underline"
            href="/about"
          >
            <ChevronLeftIcon className="size-4.5" />
            {texts.back}
          </Link>
        </div>
      </div>
      <CallToAction />
    </>
  );
}

/** What the clinic's file tells of a professional, and when the treatment that the page leads to is free. */
function DoctorFacts({ doctor }: { readonly doctor: Schemas["Profile"] }) {
  const { facts } = useTexts("doctor");
  const { registration, languages, since, service } = doctor;
  return (
    <dl className="mt-6 grid gap-4 empty:hidden">
      {registration && <Fact name={facts.registration}>{registration}</Fact>}
      {languages && <Fact name={facts.languages}>{languages.join(", ")}</Fact>}
      {since && <Fact name={facts.since}>{since}</Fact>}
      {service && <NextFree slug={service.path.replace("/services/", "")} />}
    </dl>
  );
}

interface PartProps {
  readonly heading: string;
  readonly children: ReactNode;
}

function Part({ heading, children }: PartProps) {
  return (
    <section>
      <h2 className="font-semibold text-teal-900 text-title">{heading}</h2>
      {children}
    </section>
  );
}

interface LinesProps {
  readonly heading: string;
  readonly items: readonly string[];
}

function Lines({ heading, items }: LinesProps) {
  if (items.length === 0) return null;
  return (
    <section>
      <h2 className="font-semibold text-2xl text-teal-900 tracking-tight">{heading}</h2>
      <ul className="mt-4 divide-y divide-sand-200">
        {items.map((item) => (
          <li className="py-3 leading-6" key={item}>
            {item}
          </li>
        ))}
      </ul>
    </section>
  );
}
