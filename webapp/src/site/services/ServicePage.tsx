import { Redirect } from "wouter";
import type { Schemas } from "../../api/client";
import { useContent, useTexts } from "../../api/content";
import type { SpecialtyTexts } from "../../content/specialties";
import { LinkButton } from "../../ui/Button";
import { CheckIcon } from "../../ui/icons";
import { NamedIcon } from "../../ui/NamedIcon";
import { Skeleton } from "../../ui/Skeleton";
import { Html } from "../Html";
import { Notice } from "../Notice";
import { PageBanner } from "../PageBanner";
import { ServiceFacts } from "./ServiceFacts";
import { ServiceHero } from "./ServiceHero";
import { Specialty } from "./Specialty";
import { Section } from "./sections";

/**
 * A service: its text, or the sections that it has instead. One that cannot be loaded leads to all of them,
 * but a specialty, which the menus name, to a second try, or to nothing where it is gone.
 */
export default function ServicePage({ slug }: { readonly slug: string }) {
  const { data, failed, missing, load } = useContent(`/api/services/slug/${slug}`);
  const { columns } = useTexts("site").header.menu;
  const path = `/services/${slug}`;
  const specialty = columns.some(({ links }) => links.some((link) => link.path === path));
  if (failed && !specialty) return <Redirect replace to="/services" />;
  if (missing) return null;
  if (failed) return <ServiceFailure onRetry={load} />;
  if (!data) return <ServiceSkeleton />;
  const { page } = data;
  if (!page) return <Service service={data} />;
  return <Specialty service={data} texts={page as unknown as SpecialtyTexts} />;
}

function Service({ service }: { readonly service: Schemas["Service"] }) {
  const { about, reasons, questions, book, all } = useTexts("services").detail;
  const { title, description, icon, content } = service;
  const items = service.questions;
  return (
    <>
      <ServiceHero service={service} text={description} title={title} />
      <ServiceFacts service={service} />
      <div className="page grid items-start gap-x-16 gap-y-12 page-section lg:grid-cols-[1fr_24rem]">
        <section>
          <NamedIcon className="size-12 text-teal-600" name={icon} />
          <h2 className="mt-4 mb-6 font-semibold text-teal-900 text-title">{about}</h2>
          <Html content={content} />
        </section>
        <section className="rounded-card border border-sand-200 bg-sand-50 p-7 lg:sticky lg:top-28">
          <h2 className="font-semibold text-ink-900 text-xl tracking-tight">{reasons.heading}</h2>
          <ul className="mt-5 grid gap-4">
            {reasons.items.map((reason) => (
              <li className="flex gap-3 leading-6" key={reason}>
                <CheckIcon className="mt-0.5 size-5 shrink-0 text-teal-600" />
                {reason}
              </li>
            ))}
          </ul>
          <div className="mt-7 grid gap-3">
            <LinkButton href="/contact" size="large">
              {book}
            </LinkButton>
            <LinkButton href="/services" variant="secondary" size="large">
              {all}
            </LinkButton>
          </div>
        </section>
      </div>
      {items && (
        <section className="bg-sand-50">
          <div className="page page-section">
            <Section section={{ kind: "faq", id: "preguntas", heading: questions, items }} />
          </div>
        </section>
      )}
    </>
  );
}

/** A service's page whose record did not come. */
function ServiceFailure({ onRetry }: { readonly onRetry: () => void }) {
  const { hero, error } = useTexts("services").list;
  return (
    <>
      <PageBanner text={hero.text} title={hero.title} />
      <div className="page page-section">
        <Notice failed onRetry={onRetry} text={error} />
      </div>
    </>
  );
}

/** A service's page while its record is being loaded. */
function ServiceSkeleton() {
  const texts = useTexts("services").detail;
  return (
    <div data-testid="service-skeleton" role="status">
      <h1 className="sr-only">{texts.loading}</h1>
      <div className="bg-teal-900">
        <div className="page flex min-h-[20rem] flex-col justify-center gap-5 md:min-h-[26rem]">
          <Skeleton className="h-12 w-3/5 bg-white/20" />
          <Skeleton className="h-6 w-2/5 bg-white/20" />
        </div>
      </div>
      <div className="page grid max-w-[48rem] gap-4 py-16">
        <Skeleton className="h-8 w-1/2" />
        <Skeleton className="h-4" />
        <Skeleton className="h-4" />
        <Skeleton className="h-4 w-4/5" />
      </div>
    </div>
  );
}
