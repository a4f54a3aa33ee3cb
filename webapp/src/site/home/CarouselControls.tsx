import { useTexts } from "../../api/content";
import { fill } from "../../content/fill";
import { ChevronLeftIcon, ChevronRightIcon, glyph, PlayIcon } from "../../ui/icons";
import type { useCarousel } from "./useCarousel";

const PauseIcon = glyph(<path d="M9 6v12M15 6v12" />);

const control =
  "grid size-8 place-items-center rounded-full text-white hover:bg-white/15 focus-visible:outline-white";

/** Pause comes first, so that whoever is disturbed finds it first. */
export function CarouselControls({
  active,
  playing,
  show,
  setPlaying,
}: ReturnType<typeof useCarousel>) {
  const { hero } = useTexts("home");
  const { slides } = hero;
  return (
    <div className="page pointer-events-none z-10 col-start-1 row-start-2 mt-27 self-start sm:mt-38 md:mt-0 md:self-end md:pb-8">
      <div className="-ml-2 pointer-events-auto flex w-fit items-center gap-1 rounded-full bg-teal-950">
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
            className="group grid h-8 w-7 place-items-center focus-visible:outline-white"
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
