import type { FocusEvent } from "react";
import { useTexts } from "../../api/content";
import { CarouselControls } from "./CarouselControls";
import { Slide } from "./Slide";
import { useCarousel } from "./useCarousel";

/** The reasons to come, one at a time, over the page's heading that stays. */
export function Carousel() {
  const { hero, heading } = useTexts("home");
  const { slides } = hero;
  const carousel = useCarousel(slides.length);
  const { active, moving, setInteracting } = carousel;
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
      <h1 className="page pointer-events-none z-10 col-start-1 row-start-1 py-1.5 text-balance font-sans font-semibold text-[0.8125rem] text-clay-100 md:pt-14 md:pb-0 md:text-lg">
        <span className="block md:w-1/2 md:pr-8 lg:pr-12">{heading}</span>
      </h1>
      <div
        aria-live={moving ? "off" : "polite"}
        className="col-start-1 row-start-2 grid grid-cols-1"
      >
        {slides.map(({ title }, index) => (
          <Slide active={active} index={index} key={title} />
        ))}
      </div>
    </section>
  );
}
