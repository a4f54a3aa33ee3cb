import { Redirect } from "wouter";
import type { Schemas } from "../../api/client";
import { useContent, useTexts } from "../../api/content";
import type { SpecialtyTexts } from "../../content/specialties";
import { LinkButton } from "../../ui/Button";
import { CheckIcon } from "../../ui/icons";
import { NamedIcon } from "../../ui/NamedIcon";
import { Html } from "../Html";
import { ownPicture } from "../images";
import { ServiceFailure } from "./ServiceFailure";
import { ServiceHero } from "./ServiceHero";
import { ServiceSkeleton } from "./ServiceSkeleton";
import { Specialty } from "./Specialty";

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
  const { about, reasons, book, all } = useTexts("services").detail;
  const { slug, title, description, imageUrl, icon, content } = service;
  return (
    <>
      <ServiceHero
        imageUrl={imageUrl}
        own={ownPicture(`services/${slug}`)}
        text={description}
        title={title}
      />
      <div className="page grid items-start gap-x-16 gap-y-12 py-14 sm:py-20 lg:grid-cols-[1fr_24rem]">
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
    </>
  );
}
