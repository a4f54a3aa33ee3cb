import { useEffect, useState } from "react";
import { useTexts } from "../../api/content";
import { fill } from "../../content/fill";
import { LinkButton } from "../../ui/Button";
import { classes } from "../../ui/classes";
import { ownPicture } from "../images";
import { Picture } from "../Picture";
import { wrapIndex } from "./useCarousel";

/** A slide's picture is fetched when the slide is shown or is the next one. */
function useWanted(index: number, active: number, count: number): boolean {
  const [wanted, setWanted] = useState(index === 0);
  useEffect(() => {
    if (index === active || index === wrapIndex(active + 1, count)) setWanted(true);
  }, [index, active, count]);
  return wanted || index === active;
}

interface SlideProps {
  readonly index: number;
  readonly active: number;
  /** Whether the picture stands beside or above what is written, and not under it. */
  readonly beside: boolean;
}

/** One reason to come, with its picture. */
export function Slide({ index, active, beside }: SlideProps) {
  const { hero } = useTexts("home");
  const { slides } = hero;
  const wanted = useWanted(index, active, slides.length);
  const slide = slides[index];
  if (!slide) return null;
  const current = index === active;
  const picture = wanted && (
    <Picture
      className={beside ? undefined : "-z-20 absolute inset-0"}
      first={index === 0}
      own={ownPicture(`hero/${index + 1}`)}
      sizes={beside ? "(min-width: 1024px) max(50vw, 50rem), 100vw" : "100vw"}
      sources={[`/img/hero/${index + 1}.webp`]}
    />
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a slide is no set of form fields
    <div
      aria-label={fill(hero.slide, { number: index + 1, total: slides.length })}
      aria-roledescription={hero.slideRole}
      className={classes(
        "col-start-1 row-start-1 transition-[opacity,visibility] duration-700",
        beside && "max-lg:flex max-lg:flex-col",
        current ? "opacity-100" : "invisible opacity-0",
      )}
      inert={!current}
      role="group"
    >
      {beside ? (
        <div
          className="overflow-hidden bg-teal-900 max-lg:aspect-video lg:absolute lg:inset-y-0 lg:right-0 lg:left-1/2"
          data-testid="own-picture"
        >
          {picture}
        </div>
      ) : (
        <>
          {picture}
          <div className="-z-10 absolute inset-0 bg-teal-950/70 md:bg-linear-to-r md:from-30% md:from-teal-950/95 md:via-55% md:via-teal-950/60 md:to-90% md:to-teal-950/0" />
        </>
      )}
      <div
        className={classes(
          "page flex flex-col justify-center pb-14",
          beside ? "grow pt-5 md:pt-8 lg:h-full lg:pt-3 lg:pb-24" : "h-full pt-2 md:pt-32 md:pb-16",
        )}
      >
        <h2
          className={classes(
            "max-w-[15ch] text-balance font-semibold text-[1.75rem] leading-[1.1] tracking-tight md:text-display",
            beside && "lg:w-1/2 lg:pr-12",
          )}
        >
          {slide.title}
        </h2>
        <p
          className={classes(
            "mt-3 max-w-[32rem] text-pretty text-[0.9375rem] text-teal-50 leading-6 md:mt-5 md:text-lg md:leading-8",
            beside && "lg:w-1/2 lg:pr-12",
          )}
        >
          {fill(slide.text)}
        </p>
        <div
          className={classes(
            "mt-5 flex flex-wrap gap-2.5 md:mt-8 md:gap-3",
            beside && "lg:w-1/2 lg:pr-12",
          )}
        >
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
