import type { ReactElement } from "react";
import type { SectionOf, Section as SectionTexts } from "../../content/specialties";
import { classes } from "../../ui/classes";
import { CheckIcon, ChevronDownIcon } from "../../ui/icons";
import { NamedIcon } from "../../ui/NamedIcon";
import { Avatar } from "../Avatar";
import { ownPicture } from "../images";
import { Picture } from "../Picture";
import { SectionHeading } from "../SectionHeading";
import { Steps } from "../Steps";

type Renderers = {
  [Kind in SectionTexts["kind"]]: (section: SectionOf<Kind>) => ReactElement;
};

/** Cards in rows that are full at any width, also the last. */
const row = "flex flex-wrap gap-5";
const card = "grow basis-72 rounded-card border border-sand-200 bg-white p-6 shadow-card";

/** How each kind of section looks. */
const renderers: Renderers = {
  text: ({ paragraphs }) => (
    <div className="grid max-w-[44rem] gap-5 text-pretty text-lg leading-8">
      {paragraphs.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
    </div>
  ),

  list: ({ items }) => <Checklist className="gap-x-10 md:grid-cols-2" items={items} />,

  cards: ({ items }) => (
    <ul className={row}>
      {items.map(({ title, text, icon }) => (
        <li className={card} key={title}>
          {icon && <NamedIcon className="mb-4 size-8 text-teal-600" name={icon} />}
          <h3 className="font-semibold text-ink-900 text-lg tracking-tight">{title}</h3>
          <p className="mt-2 text-pretty text-ink-600 leading-7">{text}</p>
        </li>
      ))}
    </ul>
  ),

  steps: ({ items }) => <Steps items={items} />,

  stats: ({ items }) => (
    <dl className="grid gap-6 sm:grid-cols-[repeat(auto-fit,minmax(14rem,1fr))]">
      {items.map(({ value, label }) => (
        <div className="flex flex-col rounded-card bg-teal-800 p-8 text-white" key={label}>
          <dt className="order-2 mt-2 text-lg text-teal-100">{label}</dt>
          <dd className="font-semibold text-display tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  ),

  groups: ({ items: groups }) => (
    <div className={row}>
      {groups.map(({ title, items }) => (
        <div className={card} key={title}>
          <h3 className="mb-4 font-semibold text-ink-900 text-lg tracking-tight">{title}</h3>
          <Checklist className="gap-3" items={items} />
        </div>
      ))}
    </div>
  ),

  testimonials: ({ items }) => (
    <ul className={classes(row, "[&>:only-child]:max-w-[44rem]")}>
      {items.map(({ quote, name, location }) => (
        <li className={card} key={quote}>
          <figure className="flex h-full flex-col">
            <blockquote className="mb-6 flex-1 text-pretty text-[1.0625rem] text-ink-900 leading-7">
              {quote}
            </blockquote>
            <figcaption className="flex items-center gap-3.5">
              <Avatar name={name} />
              <span>
                <span className="block font-semibold text-ink-900">{name}</span>
                {location && <span className="block text-ink-600 text-sm">{location}</span>}
              </span>
            </figcaption>
          </figure>
        </li>
      ))}
    </ul>
  ),

  faq: ({ items }) => (
    <div className="grid max-w-[48rem] gap-3">
      {items.map(({ question, answer }) => (
        <details
          className="group rounded-card border border-sand-200 bg-white px-6 shadow-card"
          key={question}
        >
          <summary className="flex min-h-16 cursor-pointer list-none items-center justify-between gap-4 rounded-lg font-semibold text-ink-900 text-lg">
            {question}
            <ChevronDownIcon className="size-5 shrink-0 text-teal-600 transition-transform group-open:rotate-180" />
          </summary>
          <p className="pb-6 text-pretty leading-7">{answer}</p>
        </details>
      ))}
    </div>
  ),

  beforeAfter: ({ before, after }) => (
    <div className="grid gap-6 sm:grid-cols-2">
      {[
        { label: before, name: "before" },
        { label: after, name: "after" },
      ].map(({ label, name }) => (
        <figure
          className="overflow-hidden rounded-card border border-sand-200 bg-white"
          key={label}
        >
          <div className="aspect-video bg-teal-100">
            <Picture
              own={ownPicture(name)}
              sizes="(min-width: 640px) 36rem, 100vw"
              sources={[`/img/${name}.webp`]}
            />
          </div>
          <figcaption className="px-6 py-4 font-semibold text-ink-900">{label}</figcaption>
        </figure>
      ))}
    </div>
  ),

  quote: ({ text, author }) => (
    <figure className="mx-auto max-w-[44rem] text-center">
      <blockquote className="text-balance font-medium text-2xl text-teal-900 leading-9 tracking-tight">
        {`«${text}»`}
      </blockquote>
      <figcaption className="mt-5 text-ink-600">{author}</figcaption>
    </figure>
  ),
};

/** A section of a specialty's page. */
export function Section({ section }: { readonly section: SectionTexts }) {
  const render = renderers[section.kind] as (section: SectionTexts) => ReactElement;
  if (section.kind === "quote") return render(section);
  const { kind, heading, intro, note } = section;
  return (
    <div
      className={classes(
        "grid gap-y-8",
        besides.includes(kind) && "gap-x-12 lg:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]",
      )}
    >
      <SectionHeading heading={heading} intro={intro} />
      <div>
        {render(section)}
        {note && <p className="mt-6 max-w-[44rem] text-ink-600 text-sm leading-6">{note}</p>}
      </div>
    </div>
  );
}

/** The kinds of section that leave room for the heading beside them. */
const besides: readonly SectionTexts["kind"][] = ["text", "list", "faq"];

interface ChecklistProps {
  readonly items: readonly string[];
  readonly className: string;
}

function Checklist({ items, className }: ChecklistProps) {
  return (
    <ul className={`grid gap-y-4 ${className}`}>
      {items.map((item) => (
        <li className="flex gap-3 text-[1.0625rem] leading-7" key={item}>
          <CheckIcon className="mt-1 size-5 shrink-0 text-teal-600" />
          {item}
        </li>
      ))}
    </ul>
  );
}
