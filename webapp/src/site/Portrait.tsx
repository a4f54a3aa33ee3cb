import type { OwnPicture } from "../content/clinic";
import { classes } from "../ui/classes";
import { initialsOf, ownPicture } from "./images";
import { Picture } from "./Picture";

/** How one drawn person differs from another. */
interface Appearance {
  readonly skin: string;
  readonly hair: string;
  readonly cut: keyof typeof cuts;
  readonly ground: string;
  readonly glasses?: boolean;
  readonly beard?: boolean;
}

/** Hair behind the head and in front of it. */
const cuts = {
  long: {
    back: "M62 92c0-30 16-48 38-48s38 18 38 48c0 22 8 34 6 54-14 10-74 10-88 0-2-20 6-32 6-54Z",
    front: "M68 92c2-16 12-20 26-26 8 10 26 12 38 26 2-24-10-40-32-40s-34 16-32 40Z",
  },
  bob: {
    back: "M60 94c0-32 17-50 40-50s40 18 40 50c0 16 2 26-4 34-16 4-56 4-72 0-6-8-4-18-4-34Z",
    front: "M68 90c14-2 26-10 34-22 6 12 16 20 30 22 2-24-11-38-32-38S66 66 68 90Z",
  },
  bun: {
    back: "M100 24c11 0 18 7 18 16s-7 14-18 14-18-5-18-14 7-16 18-16Zm-36 66c0-28 15-44 36-44s36 16 36 44c0 10-72 10-72 0Z",
    front: "M67 92c3-18 15-27 33-27s30 9 33 27c3-26-11-42-33-42S64 66 67 92Z",
  },
  short: {
    back: "M65 90c-2-28 12-46 35-46s37 18 35 46c0 6-70 6-70 0Z",
    front: "M67 88c2-12 8-18 12-20 14 4 32 2 40-6 8 6 12 14 14 26 6-26-8-42-33-42S61 62 67 88Z",
  },
  crop: {
    back: "M67 86c-2-26 11-40 33-40s35 14 33 40c0 4-66 4-66 0Z",
    front: "M68 84c3-14 12-20 32-20s29 6 32 20c3-22-8-36-32-36S65 62 68 84Z",
  },
  grey: {
    back: "M65 92c-4-28 10-46 35-46s39 18 35 46c-4 8-66 8-70 0Z",
    front: "M67 86c0-10 6-18 16-22 4 4 34 4 40-2 6 6 10 14 10 24 6-24-7-40-33-40S61 62 67 86Z",
  },
} as const;

/** The drawings of the people whom the site brings along, by their slugs: nobody else is shown with one. */
const people: Readonly<Record<string, Appearance>> = {
  "irina-solanilla": {
    skin: "fill-clay-100",
    hair: "fill-teal-950",
    cut: "long",
    ground: "fill-teal-100",
  },
  "noelia-barsallo": {
    skin: "fill-clay-400",
    hair: "fill-teal-950",
    cut: "bun",
    ground: "fill-sand-200",
    glasses: true,
  },
  "tadeo-villalaz": {
    skin: "fill-[#eec4a6]",
    hair: "fill-ink-900",
    cut: "short",
    ground: "fill-teal-200",
  },
  "anselmo-pitti": {
    skin: "fill-clay-100",
    hair: "fill-ink-400",
    cut: "grey",
    ground: "fill-sand-200",
    glasses: true,
  },
  "fermin-arauz": {
    skin: "fill-clay-400",
    hair: "fill-teal-950",
    cut: "crop",
    ground: "fill-teal-100",
    beard: true,
  },
  "eliecer-samudio": {
    skin: "fill-clay-500",
    hair: "fill-ink-900",
    cut: "crop",
    ground: "fill-clay-100",
  },
  "mireya-castrellon": {
    skin: "fill-[#eec4a6]",
    hair: "fill-clay-700",
    cut: "bob",
    ground: "fill-teal-200",
  },
};

/** Whether a professional without a photograph is shown on a drawing. */
export function isDrawn(slug: string): boolean {
  return slug in people && !ownPicture(`doctors/${slug}`);
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
export function Portrait({ own, className, ...drawing }: PortraitProps) {
  const look = people[drawing.slug];
  if (!own)
    return look ? (
      <Drawing className={className} label={drawing.label} look={look} />
    ) : (
      <Initials className={className} name={drawing.name} />
    );
  return (
    <div className={classes("overflow-hidden bg-teal-100", className)}>
      <Picture own={own} sizes="(min-width: 1024px) 24rem, 100vw" sources={[]} />
    </div>
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

interface DrawingProps {
  readonly look: Appearance;
  readonly label: string;
  readonly className: string | undefined;
}

/** A drawn professional: two hues and a warm accent, like every drawing of the site. */
function Drawing({ look, label, className }: DrawingProps) {
  const { back, front } = cuts[look.cut];
  return (
    <svg
      aria-label={label}
      className={classes("block", className)}
      focusable="false"
      preserveAspectRatio="xMidYMid slice"
      role="img"
      viewBox="0 -8 200 200"
    >
      <path className={look.ground} d="M0-20h200v240H0Z" />
      <circle className="fill-white" cx="100" cy="112" opacity=".35" r="84" />
      <path className={look.hair} d={back} />
      <path className="fill-white" d="M24 204c2-40 26-58 58-62h36c32 4 56 22 58 62Z" />
      <path className="fill-teal-500" d="M80 141h40l-20 36Z" />
      <path className={look.skin} d="M87 116h26v28c0 6-6 14-13 14s-13-8-13-14Z" />
      <path className="fill-teal-950" d="M87 127c8 8 18 8 26 0v6c-8 8-18 8-26 0Z" opacity=".12" />
      <path
        className={look.skin}
        d="M68 88c0-22 13-36 32-36s32 14 32 36c0 24-14 42-32 42S68 112 68 88Zm-1 1a5 8 0 1 0 3 15Zm66 0a5 8 0 1 1-3 15Z"
      />
      <g className="fill-clay-500" opacity=".16">
        <circle cx="80" cy="104" r="6" />
        <circle cx="120" cy="104" r="6" />
      </g>
      {look.beard && (
        <path
          className={look.hair}
          d="M68 92c2 24 14 42 32 42s30-18 32-42c-4 8-8 12-14 13-4-6-32-6-36 0-6-1-10-5-14-13Z"
        />
      )}
      <path className={look.hair} d={front} />
      <g className="fill-none stroke-teal-950" strokeLinecap="round" strokeWidth="2.5">
        <path d="M86 93v3M114 93v3" strokeWidth="4.5" />
        {!look.glasses && <path d="M80 84c3-3 8-3 11-1M120 84c-3-3-8-3-11-1" strokeWidth="2" />}
        <path d="M101 96c1 3 2 5 0 6-1 1-2 0-3 0" opacity=".5" strokeWidth="2" />
        <path className={look.beard ? "stroke-white" : undefined} d="M91 111c5 5 13 5 18 0" />
        {look.glasses && (
          <path d="M74 93a10 10 0 1 0 20 0 10 10 0 1 0-20 0Zm32 0a10 10 0 1 0 20 0 10 10 0 1 0-20 0Zm-12-1c3-3 9-3 12 0" />
        )}
      </g>
      <g className="fill-none stroke-teal-200" strokeLinejoin="round" strokeWidth="2.5">
        <path d="m80 142-10 18 14 6-4 38M120 142l10 18-14 6 4 38" />
        <path d="M136 178h18" strokeLinecap="round" />
      </g>
    </svg>
  );
}
