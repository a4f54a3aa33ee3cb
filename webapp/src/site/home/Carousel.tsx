import type { FocusEvent } from "react";
import { useTexts } from "../../api/content";
import { classes } from "../../ui/classes";
import { ownPicture } from "../images";
import { CarouselControls } from "./CarouselControls";
import { Slide } from "./Slide";
import { useCarousel } from "./useCarousel";

/** The reasons to come, one at a time, over the page's heading that stays. */
export function Carousel() {
  const { hero, heading } = useTexts("home");
  const { slides } = hero;
  const carousel = useCarousel(slides.length);
  const { active, moving, setInteracting } = carousel;
  // Nothing is written on a picture of the clinic's own, and all slides are of one kind.
  const beside = slides.some((_, index) => ownPicture(`hero/${index + 1}`));
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) setInteracting(false);
  };
  return (
    <section
      aria-label={hero.label}
      aria-roledescription={hero.carousel}
      className="relative isolate grid min-h-[400px] grid-cols-1 grid-rows-[auto_1fr] overflow-hidden bg-teal-950 text-white md:min-h-[600px]"
      onBlur={onBlur}
      onFocus={() => setInteracting(true)}
      onPointerEnter={({ pointerType }) => pointerType === "mouse" && setInteracting(true)}
      onPointerLeave={() => setInteracting(false)}
    >
      <CarouselControls {...carousel} />
      <h1
        className={classes(
          "page pointer-events-none z-10 pt-5 text-balance font-semibold text-[0.9375rem] text-clay-100 md:text-lg",
          beside ? "pb-5 lg:pt-14 lg:pb-0" : "md:absolute md:inset-x-0 md:top-24 md:pt-0",
        )}
      >
        {beside ? <span className="block lg:w-1/2 lg:pr-12">{heading}</span> : heading}
      </h1>
      <div aria-live={moving ? "off" : "polite"} className="row-start-2 grid grid-cols-1">
        {slides.map(({ title }, index) => (
          <Slide active={active} beside={beside} index={index} key={title} />
        ))}
      </div>
    </section>
  );
}
