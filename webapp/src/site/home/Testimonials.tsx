import { useRef } from "react";
import type { Schemas } from "../../api/client";
import { useContent, useTexts } from "../../api/content";
import { fill } from "../../content/fill";
import { classes } from "../../ui/classes";
import { glyph } from "../../ui/icons";
import { Avatar } from "../Avatar";
import { CardSkeletons } from "../CardSkeletons";
import { fillsRow } from "../columns";
import { Notice } from "../Notice";
import { SectionHeading } from "../SectionHeading";
import { SwipeRow } from "../SwipeRow";
import { useNearView } from "../useNearView";
import { stars, testimonialsShown } from "./shown";

const StarIcon = glyph(
  <path
    d="m12 3.5 2.6 5.300 5.900.9-4.300 4.100 1 5.800L12 16.900l-5.200 2.700 1-5.800-4.300-4.100 5.900-.9Z"
    fill="currentColor"
  />,
);

/** What patients say, asked for once the section is near the view; nothing where nobody says any. */
export function Testimonials() {
  const section = useRef<HTMLElement>(null);
  const near = useNearView(section);
  const { heading, intro } = useTexts("home").testimonials;
  const { data } = useContent("/api/testimonials", near);
  if (data?.length === 0) return null;
  return (
    <section className="page page-section" ref={section}>
      <SectionHeading className="mb-10" heading={heading} intro={intro} />
      <Quotes wanted={near} />
    </section>
  );
}

function Quotes({ wanted }: { readonly wanted: boolean }) {
  const { heading, loading, error } = useTexts("home").testimonials;
  const { data, failed, load } = useContent("/api/testimonials", wanted);
  if (failed) return <Notice failed onRetry={load} text={error} />;
  if (!data) return <CardSkeletons count={testimonialsShown} label={loading} />;
  return (
    <SwipeRow label={heading}>
      {data.slice(0, testimonialsShown).map((testimonial) => (
        <Quote key={testimonial.id} testimonial={testimonial} />
      ))}
    </SwipeRow>
  );
}

function Quote({ testimonial }: { readonly testimonial: Schemas["Testimonial"] }) {
  const { name, comment, rating, location, imageUrl } = testimonial;
  return (
    <li className={fillsRow}>
      <figure className="flex h-full flex-col rounded-card border border-sand-200 bg-white p-6 shadow-card">
        <Stars rating={rating} />
        <blockquote className="mt-4 mb-6 flex-1 text-pretty text-[1.0625rem] text-ink-900 leading-7">
          {comment}
        </blockquote>
        <figcaption className="flex items-center gap-3.5">
          <Avatar imageUrl={imageUrl} name={name} />
          <span>
            <span className="block font-semibold text-ink-900">{name}</span>
            <span className="block text-ink-600 text-sm">{location}</span>
          </span>
        </figcaption>
      </figure>
    </li>
  );
}

function Stars({ rating }: { readonly rating: number }) {
  const texts = useTexts("home").testimonials;
  return (
    <div className="flex gap-0.5">
      <span className="sr-only">{fill(texts.rating, { rating })}</span>
      {Array.from({ length: stars }, (_, index) => index).map((index) => (
        <StarIcon
          className={classes("size-5", index < rating ? "text-clay-500" : "text-sand-200")}
          key={index}
        />
      ))}
    </div>
  );
}
