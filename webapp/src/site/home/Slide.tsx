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
}

/** One reason to come, with its picture beside it, or above on a phone. */
export function Slide({ index, active }: SlideProps) {
  const { hero } = useTexts("home");
  const { slides } = hero;
  const wanted = useWanted(index, active, slides.length);
  const slide = slides[index];
  if (!slide) return null;
  const current = index === active;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a slide is no set of form fields
    <div
      aria-label={fill(hero.slide, { number: index + 1, total: slides.length })}
      aria-roledescription={hero.slideRole}
      className={classes(
        "col-start-1 row-start-1 flex flex-col transition-[opacity,visibility] duration-700",
        current ? "opacity-100" : "invisible opacity-0",
      )}
      inert={!current}
      role="group"
    >
      <div className="h-37 shrink-0 overflow-hidden bg-teal-900 sm:h-48 md:absolute md:inset-y-0 md:right-0 md:left-1/2 md:h-auto">
        {wanted && (
          <Picture
            first={index === 0}
            own={ownPicture(`hero/${index + 1}`)}
            sizes="(min-width: 768px) max(50vw, 67rem), 100vw"
            sources={[`/img/hero/${index + 1}.webp`]}
          />
        )}
      </div>
      <div className="page flex grow flex-col justify-center py-3.5 md:pt-3 md:pb-24">
        <div className="md:w-1/2 md:pr-8 lg:pr-12">
          <h2 className="max-w-[15ch] text-balance font-semibold text-[1.625rem] leading-[1.1] tracking-tight md:text-[clamp(2.25rem,4.6vw,3.75rem)]">
            {slide.title}
          </h2>
          <p className="mt-2 max-w-[32rem] text-pretty text-sm text-teal-50 md:mt-5 md:text-lg md:leading-8">
            {fill(slide.text)}
          </p>
          <div className="mt-3 flex flex-wrap gap-2.5 md:mt-8 md:gap-3">
            <LinkButton className={small} href="/contact" variant="inverse" size="large">
              {hero.book}
            </LinkButton>
            <LinkButton className={small} href="/services" variant="outline" size="large">
              {hero.services}
            </LinkButton>
          </div>
        </div>
      </div>
    </div>
  );
}

const small = "max-md:min-h-11 max-md:px-4 max-md:text-[0.9375rem]";
