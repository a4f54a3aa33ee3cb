import { type FocusEvent, useEffect, useState } from "react";
import { fill } from "../../content/fill";
import { homeTexts } from "../../content/home";
import { LinkButton } from "../../ui/Button";
import { classes } from "../../ui/classes";
import { ChevronLeftIcon, ChevronRightIcon, PauseIcon, PlayIcon } from "../../ui/icons";
import { Picture } from "../Picture";
import { useCarousel, wrapIndex } from "./useCarousel";

const { hero, heading } = homeTexts;
const { slides } = hero;

/** Four reasons to come, one at a time, over the page's heading that stays. */
export function Carousel() {
  const carousel = useCarousel(slides.length);
  const { active, moving, setInteracting } = carousel;
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) setInteracting(false);
  };
  return (
    <section
      aria-label={hero.label}
      aria-roledescription={hero.carousel}
      className="relative isolate h-[400px] overflow-hidden bg-teal-950 text-white md:h-[600px]"
      onBlur={onBlur}
      onFocus={() => setInteracting(true)}
      onPointerEnter={({ pointerType }) => pointerType === "mouse" && setInteracting(true)}
      onPointerLeave={() => setInteracting(false)}
    >
      <Controls {...carousel} />
      <h1 className="page pointer-events-none absolute inset-x-0 top-5 z-10 text-balance font-semibold text-[0.9375rem] text-clay-100 md:top-24 md:text-lg">
        {fill(heading)}
      </h1>
      <div aria-live={moving ? "off" : "polite"}>
        {slides.map(({ title }, index) => (
          <Slide active={active} index={index} key={title} />
        ))}
      </div>
    </section>
  );
}

/** A slide's picture is fetched when the slide is shown or is the next one. */
function useWanted(index: number, active: number): boolean {
  const [wanted, setWanted] = useState(index === 0);
  useEffect(() => {
    if (index === active || index === wrapIndex(active + 1, slides.length)) setWanted(true);
  }, [index, active]);
  return wanted || index === active;
}

function Slide({ index, active }: { readonly index: number; readonly active: number }) {
  const wanted = useWanted(index, active);
  const slide = slides[index];
  if (!slide) return null;
  const current = index === active;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a slide is no set of form fields
    <div
      aria-label={fill(hero.slide, { number: index + 1, total: slides.length })}
      aria-roledescription={hero.slideRole}
      className={classes(
        "absolute inset-0 transition-[opacity,visibility] duration-700",
        current ? "opacity-100" : "invisible opacity-0",
      )}
      inert={!current}
      role="group"
    >
      {wanted && (
        <Picture
          className="-z-20 absolute inset-0"
          first={index === 0}
          sizes="100vw"
          sources={[`/img/hero/${index + 1}.webp`]}
        />
      )}
      <div className="-z-10 absolute inset-0 bg-teal-950/70 md:bg-linear-to-r md:from-30% md:from-teal-950/95 md:via-55% md:via-teal-950/60 md:to-90% md:to-teal-950/0" />
      <div className="page flex h-full flex-col justify-center pt-8 pb-14 md:pt-6 md:pb-10">
        <h2 className="max-w-[15ch] text-balance font-semibold text-[1.75rem] leading-[1.1] tracking-tight md:text-display">
          {slide.title}
        </h2>
        <p className="mt-3 max-w-[32rem] text-pretty text-[0.9375rem] text-teal-50 leading-6 md:mt-5 md:text-lg md:leading-8">
          {slide.text}
        </p>
        <div className="mt-5 flex flex-wrap gap-2.5 md:mt-8 md:gap-3">
          <LinkButton
            className="max-md:min-h-11 max-md:px-4 max-md:text-[0.9375rem]"
            href="/contact"
            variant="inverse"
            size="large"
          >
            {hero.book}
          </LinkButton>
          <LinkButton
            className="max-md:min-h-11 max-md:px-4 max-md:text-[0.9375rem]"
            href="/services"
            variant="outline"
            size="large"
          >
            {hero.services}
          </LinkButton>
        </div>
      </div>
    </div>
  );
}

const control =
  "grid size-9 place-items-center rounded-full text-white hover:bg-white/15 focus-visible:outline-white";

/** Pause comes first, so that whoever is disturbed finds it first. */
function Controls({ active, playing, show, setPlaying }: ReturnType<typeof useCarousel>) {
  return (
    <div className="page pointer-events-none absolute inset-x-0 bottom-3 z-10 md:bottom-8">
      <div className="-ml-2 pointer-events-auto flex w-fit items-center gap-1">
        <button
          aria-label={playing ? hero.pause : hero.play}
          className={control}
          onClick={() => setPlaying(!playing)}
          type="button"
        >
          {playing ? <PauseIcon /> : <PlayIcon />}
        </button>
        <button
          aria-label={hero.previous}
          className={control}
          onClick={() => show(active - 1)}
          type="button"
        >
          <ChevronLeftIcon />
        </button>
        {slides.map(({ title }, index) => (
          <button
            aria-current={index === active}
            aria-label={fill(hero.goTo, { number: index + 1, total: slides.length })}
            className="group grid h-9 w-7 place-items-center focus-visible:outline-white"
            key={title}
            onClick={() => show(index)}
            type="button"
          >
            <span className="size-2.5 rounded-full border border-white group-hover:bg-white/60 group-aria-[current=true]:bg-white" />
          </button>
        ))}
        <button
          aria-label={hero.next}
          className={control}
          onClick={() => show(active + 1)}
          type="button"
        >
          <ChevronRightIcon />
        </button>
      </div>
    </div>
  );
}
