import { useTexts } from "../../api/content";
import { clinic } from "../../content/clinic";
import { interfaceTexts } from "../../content/interface";
import { LinkButton } from "../../ui/Button";
import { classes } from "../../ui/classes";
import { CheckIcon, PlayIcon } from "../../ui/icons";
import { ownPicture } from "../images";
import { Picture } from "../Picture";

/** Who the clinic is, in two paragraphs and a video. */
export function Welcome() {
  const { heading, paragraphs, points, about } = useTexts("home").welcome;
  return (
    <section className="page grid items-center gap-x-16 gap-y-10 page-section lg:grid-cols-2">
      <div>
        <p className="font-semibold text-[0.9375rem] text-clay-700">{clinic.tagline}</p>
        <h2 className="mt-3 text-balance font-semibold text-teal-900 text-title">{heading}</h2>
        {paragraphs.map((paragraph) => (
          <p className="mt-5 max-w-[36rem] text-pretty text-[1.0625rem] leading-8" key={paragraph}>
            {paragraph}
          </p>
        ))}
        {points.length > 0 && (
          <ul className="mt-6 grid gap-2.5">
            {points.map((point) => (
              <li className="flex gap-3 font-medium text-ink-900" key={point}>
                <CheckIcon className="mt-0.5 size-5 shrink-0 text-teal-600" />
                {point}
              </li>
            ))}
          </ul>
        )}
        <LinkButton className="mt-8" href="/about" variant="secondary" size="large">
          {about}
        </LinkButton>
      </div>
      <Video />
    </section>
  );
}

const frame = "group block overflow-hidden rounded-card shadow-float";

/** The video is on another site; here is its picture, alone where the clinic has no video. */
function Video() {
  const { video } = useTexts("home").welcome;
  const own = ownPicture("welcome");
  const picture = (
    <span className="relative isolate block aspect-video overflow-hidden bg-teal-900">
      <Picture
        className="-z-10 absolute inset-0 transition-transform duration-500 motion-safe:group-hover:scale-[1.03]"
        own={own}
        sizes="(min-width: 1024px) 36rem, 100vw"
        sources={["/img/welcome.webp"]}
      />
      {clinic.links.video && !own && (
        <span className="absolute inset-0 bg-linear-to-t from-teal-950/90 via-teal-950/10 to-teal-950/0" />
      )}
      {clinic.links.video && <Play />}
    </span>
  );
  if (!clinic.links.video) return <div className={frame}>{picture}</div>;
  return (
    <a
      className={classes(frame, "relative isolate bg-teal-950")}
      href={clinic.links.video}
      rel="noopener noreferrer"
      target="_blank"
    >
      {picture}
      <span
        className={classes("text-white", own ? "block px-5 py-4" : "absolute inset-x-5 bottom-4")}
      >
        <span className="block font-semibold">{video.label}</span>
        <span className="block text-sm text-teal-50">{video.caption}</span>
        <span className="sr-only">{interfaceTexts.newTab}</span>
      </span>
    </a>
  );
}

function Play() {
  return (
    <span className="absolute inset-0 grid place-items-center">
      <span className="grid size-18 place-items-center rounded-full bg-white text-teal-800 shadow-float transition-transform motion-safe:group-hover:scale-105">
        <PlayIcon className="size-8" />
      </span>
    </span>
  );
}
