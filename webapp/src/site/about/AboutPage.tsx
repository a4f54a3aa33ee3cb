import { Link } from "wouter";
import { useContent, useTexts } from "../../api/content";
import { clinic } from "../../content/clinic";
import { fill } from "../../content/fill";
import { classes } from "../../ui/classes";
import { ArrowRightIcon } from "../../ui/icons";
import { NamedIcon } from "../../ui/NamedIcon";
import { CallToAction } from "../CallToAction";
import { columnsOf } from "../columns";
import { ownPicture } from "../images";
import { PageBanner } from "../PageBanner";
import { isDrawn, Portrait } from "../Portrait";

/** Who the clinic is: history, mission, values and the people. */
export default function AboutPage() {
  const texts = useTexts("about");
  return (
    <>
      <PageBanner eyebrow={clinic.tagline} text={texts.hero.text} title={texts.hero.title} />
      <History />
      <Purpose />
      <Values />
      <Reasons />
      <Team />
      <CallToAction />
    </>
  );
}

function History() {
  const { heading, paragraphs, milestones } = useTexts("about").history;
  const { data: team = [] } = useContent("/api/doctors");
  const teamSize = team.length > 1 ? team.length : "";
  const told = milestones
    .map(({ value, label }) => ({ value: fill(value, { teamSize }), label }))
    .filter(({ value }) => value);
  return (
    <section className="page grid gap-x-16 gap-y-10 page-section lg:grid-cols-[1fr_18rem]">
      <div>
        <h2 className="font-semibold text-teal-900 text-title">{heading}</h2>
        {paragraphs.map((paragraph) => (
          <p className="mt-5 max-w-[65ch] text-pretty text-lg leading-8" key={paragraph}>
            {paragraph}
          </p>
        ))}
      </div>
      {told.length > 0 && (
        <ul className="grid grid-cols-[repeat(auto-fit,minmax(6rem,1fr))] gap-4 self-center max-[23rem]:grid-cols-1 lg:grid-cols-1 lg:gap-8">
          {told.map(({ value, label }) => (
            <li className="border-clay-400 border-l-3 pl-4 lg:pl-6" key={label}>
              <span className="block font-semibold text-3xl text-teal-900 tracking-tight sm:text-4xl">
                {value}
              </span>
              <span className="mt-1 block text-[0.9375rem] text-ink-600 leading-5">{label}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Purpose() {
  const texts = useTexts("about");
  return (
    <section className="bg-sand-100">
      <div className="page grid gap-6 page-section md:grid-cols-2">
        {[texts.mission, texts.vision].map(({ heading, text }) => (
          <div
            className="rounded-card border border-sand-200 bg-white p-7 shadow-card sm:p-10"
            key={heading}
          >
            <h2 className="font-semibold text-2xl text-teal-900 tracking-tight">{heading}</h2>
            <p className="mt-4 text-pretty text-lg leading-8">{fill(text)}</p>
          </div>
        ))}
      </div>
    </section>
  );
}

function Values() {
  const { heading, items } = useTexts("about").values;
  return (
    <section className="page page-section">
      <h2 className="font-semibold text-teal-900 text-title">{heading}</h2>
      <ul className={classes("mt-10 grid gap-x-12 gap-y-10 sm:grid-cols-2", columnsOf(items))}>
        {items.map(({ title, text, icon }) => (
          <li className="flex gap-5" key={title}>
            <span className="grid size-12 shrink-0 place-items-center rounded-xl bg-teal-100 text-teal-700">
              <NamedIcon className="size-6" name={icon} />
            </span>
            <div>
              <h3 className="font-semibold text-ink-900 text-xl tracking-tight">{title}</h3>
              <p className="mt-1.5 text-ink-600 leading-7">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Reasons() {
  const { heading, items } = useTexts("about").reasons;
  return (
    <section className="bg-teal-900 text-teal-100">
      <div className="page page-section">
        <h2 className="font-semibold text-title text-white">{heading}</h2>
        <ul className={classes("mt-10 grid gap-x-10 gap-y-10", columnsOf(items, "md"))}>
          {items.map(({ title, text, icon }) => (
            <li className="border-teal-600 border-t-2 pt-6" key={title}>
              <NamedIcon className="size-8 text-clay-400" name={icon} />
              <h3 className="mt-4 font-semibold text-white text-xl tracking-tight">{title}</h3>
              <p className="mt-2 leading-7">{text}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function Team() {
  const { heading, intro, profile, profileOf, photoAlt, drawn } = useTexts("about").team;
  const { data: members } = useContent("/api/doctors");
  if (members?.length === 0) return null;
  // Photographs are square; where there are some, the drawings beside them are too.
  const photographs = members?.some(({ slug }) => ownPicture(`doctors/${slug}`));
  return (
    <section className="bg-sand-50" id="equipo">
      <div className="page page-section">
        <h2 className="font-semibold text-teal-900 text-title">{heading}</h2>
        <p className="mt-4 max-w-[42rem] text-ink-600 text-lg leading-8">{intro}</p>
        {members?.some(({ slug }) => isDrawn(slug)) && (
          <p className="mt-2 text-ink-500 text-sm">{drawn}</p>
        )}
        <ul className="mt-10 grid gap-6 sm:grid-cols-2 lg:grid-cols-12">
          {members?.map((member, index) => (
            <li
              className={classes(
                "@container relative overflow-hidden rounded-card border border-sand-200 bg-white shadow-card transition-shadow has-[a:hover]:shadow-float",
                "sm:max-lg:last:odd:col-span-2",
                wide(members.length, index),
              )}
              key={member.slug}
            >
              <div className="flex h-full flex-col @2xl:flex-row">
                <Portrait
                  className={classes(
                    "w-full @2xl:w-80 @2xl:shrink-0",
                    photographs ? "aspect-square" : "aspect-[4/3]",
                  )}
                  label={fill(photoAlt, { name: member.name })}
                  name={member.name}
                  own={ownPicture(`doctors/${member.slug}`)}
                  slug={member.slug}
                />
                <div className="flex flex-1 flex-col p-6 @2xl:p-10">
                  <h3 className="font-semibold text-ink-900 text-xl tracking-tight">
                    {member.name}
                  </h3>
                  <p className="mt-1 font-medium text-clay-700">{member.title}</p>
                  <p className="text-[0.9375rem] text-ink-600">{member.specialty}</p>
                  <p className="mt-3 text-[0.9375rem] leading-6">{member.bio}</p>
                  {member.page && (
                    <Link
                      aria-label={fill(profileOf, { name: member.name })}
                      className="mt-auto inline-flex items-center gap-1.5 self-start rounded pt-5 font-semibold text-teal-700 after:absolute after:inset-0 after:rounded-card hover:underline"
                      href={`/about/${member.slug}`}
                    >
                      {profile}
                      <ArrowRightIcon className="size-4.5" />
                    </Link>
                  )}
                </div>
              </div>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

/** How much of a row of twelve a card takes: seven stand as three and four, others as suits their number. */
function wide(count: number, index: number): string {
  const fours = [0, 0, 0, 0, 4, 0, 0, 4, 8][count] ?? 0;
  if (count === 1) return "sm:col-span-2 lg:col-span-9";
  if (count === 2) return "lg:col-span-6";
  return index >= count - fours ? "lg:col-span-3" : "lg:col-span-4";
}
