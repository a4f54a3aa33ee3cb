import { Link } from "wouter";
import type { Schemas } from "../../api/client";
import { fill } from "../../content/fill";
import { classes } from "../../ui/classes";
import { ArrowRightIcon } from "../../ui/icons";
import { NamedIcon } from "../../ui/NamedIcon";
import { fillsRow } from "../columns";
import { imageOfService, ownPicture } from "../images";
import { Picture } from "../Picture";

interface ServiceCardProps {
  readonly service: Schemas["Service"];
  readonly texts: { readonly more: string; readonly moreAbout: string };
}

/** A service in a list; the whole card leads to its page. */
export function ServiceCard({ service, texts }: ServiceCardProps) {
  const { title, description, slug, icon, imageUrl } = service;
  return (
    <li
      className={classes(
        "group @container relative overflow-hidden rounded-card border border-sand-200 bg-white shadow-card transition-shadow hover:shadow-float",
        fillsRow,
      )}
    >
      <div className="flex h-full flex-col @2xl:flex-row">
        <div className="aspect-video overflow-hidden bg-teal-100 @2xl:w-1/2">
          <Picture
            className="transition-transform duration-500 motion-safe:group-hover:scale-[1.03]"
            own={ownPicture(`services/${slug}`)}
            sizes="(min-width: 1024px) 24rem, 50vw"
            sources={[imageUrl, imageOfService(title)]}
          />
        </div>
        <div className="flex flex-1 flex-col p-6 @2xl:justify-center @2xl:p-10">
          <h3 className="flex items-center gap-3 font-semibold text-ink-900 text-xl tracking-tight">
            <NamedIcon className="size-7 shrink-0 text-teal-600" name={icon} />
            {title}
          </h3>
          <p className="mt-3 mb-5 flex-1 text-ink-600 leading-7 @2xl:flex-none">{description}</p>
          <Link
            aria-label={fill(texts.moreAbout, { title })}
            className="inline-flex min-h-8 items-center gap-2 self-start rounded font-semibold text-[0.9375rem] text-teal-700 underline-offset-4 after:absolute after:inset-0 group-hover:underline"
            href={`/services/${slug}`}
          >
            {texts.more}
            <ArrowRightIcon className="size-4.5" />
          </Link>
        </div>
      </div>
    </li>
  );
}
