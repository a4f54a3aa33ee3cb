import type { OwnPicture } from "../content/clinic";
import { classes } from "../ui/classes";
import { initialsOf, ownPicture } from "./images";
import { Picture } from "./Picture";

/** The people whom the site brings along, of whom public/img/doctors has drawings; nobody else is shown with one. */
const drawn: readonly string[] = [
  "irina-solanilla",
  "noelia-barsallo",
  "tadeo-villalaz",
  "anselmo-pitti",
  "fermin-arauz",
  "eliecer-samudio",
  "mireya-castrellon",
];

/** Whether a professional without a photograph is shown on a drawing. */
export function isDrawn(slug: string): boolean {
  return drawn.includes(slug) && !ownPicture(`doctors/${slug}`);
}

interface PortraitProps {
  /** Of the professional. */
  readonly slug: string;
  readonly name: string;
  /** What stands for the drawing. */
  readonly label: string;
  readonly className?: string | undefined;
  /** The professional's photograph, which is shown in the place of the drawing. */
  readonly own?: OwnPicture | undefined;
}

/** A professional, on a photograph or drawn; or else the initials of the name. */
export function Portrait({ own, className, slug, name, label }: PortraitProps) {
  if (own) {
    return (
      <div className={classes("overflow-hidden bg-teal-100", className)}>
        <Picture own={own} sizes="(min-width: 1024px) 24rem, 100vw" sources={[]} />
      </div>
    );
  }
  if (!drawn.includes(slug)) return <Initials className={className} name={name} />;
  return (
    <img
      alt={label}
      className={classes("object-cover", className)}
      decoding="async"
      height="400"
      loading="lazy"
      src={`/img/doctors/${slug}.svg`}
      width="400"
    />
  );
}

/** In the place of a portrait that there is not; the name stands beside it. */
function Initials({ name, className }: Pick<PortraitProps, "name" | "className">) {
  return (
    <div
      aria-hidden="true"
      className={classes("@container grid place-items-center bg-teal-100", className)}
    >
      <span className="font-semibold text-[28cqw] text-teal-800 leading-none">
        {initialsOf(name.replace(/^\S+\.\s+/, ""))}
      </span>
    </div>
  );
}
