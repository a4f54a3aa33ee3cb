import { clinic, type OwnPicture } from "../content/clinic";
import { folded } from "../content/folded";

/** The clinic's own picture of something: `hero/1`, `services/ortodoncia`. */
export function ownPicture(name: string): OwnPicture | undefined {
  return clinic.images[name];
}

/** Shown where no picture could be loaded. */
export const placeholderImage = "/img/placeholder.svg";

/** A format in which a picture is kept. */
interface ImageVariant {
  readonly type: string;
  /** The one for phones, about 640 pixels wide. */
  readonly phone: string;
  /** All widths, as a `srcset`. */
  readonly all: string;
}

const widths = ["-640", "", "-1920"] as const;

/** Whether a picture is one that the site brings along. */
export function isDrawing(source: string | undefined): boolean {
  return source !== undefined && imageVariants(source).length > 0;
}

/** The formats and widths of a picture of our own; nothing for any other. */
export function imageVariants(source: string): ImageVariant[] {
  const [, stem] = /^(\/img\/.+)\.webp$/.exec(source) ?? [];
  if (stem === undefined) return [];
  return [
    { type: "image/svg+xml", phone: `${stem}-640.svg`, all: `${stem}.svg 1280w` },
    {
      type: "image/webp",
      phone: `${stem}-640.webp`,
      all: widths.map((width) => `${stem}${width}.webp ${width.slice(1) || "1280"}w`).join(", "),
    },
  ];
}

/** The formats and widths of a picture of the clinic's own. */
export function ownVariants({ stem, widths }: OwnPicture): ImageVariant[] {
  const phone = widths.find((width) => width >= 640) ?? widths.at(-1);
  if (phone === undefined) return [];
  return ["avif", "webp"].map((format) => ({
    type: `image/${format}`,
    phone: `${stem}-${phone}.${format}`,
    all: widths.map((width) => `${stem}-${width}.${format} ${width}w`).join(", "),
  }));
}

/** What of a picture stays to be seen where its box is of another shape, to the nearest tenth. */
export function focusClasses([x = 50, y = 50]: readonly number[]): string {
  // styles.css lists these for Tailwind.
  const tenth = (percent: number) => Math.round(percent / 10) * 10;
  return `object-[var(--x)_var(--y)] [--x:${tenth(x)}%] [--y:${tenth(y)}%]`;
}

/** The path at which the picture of a service is looked for when its record names none. */
export function imageOfService(title: string): string {
  const words = folded(title).match(/[a-z0-9]+/g) ?? [];
  return `/img/services/${words.join("-")}.webp`;
}

/** The first letters of a name, for an avatar: "Yariela M." is YM. */
export function initialsOf(name: string): string {
  // Only letters have a case; the server's engine knows no \p{L}.
  const words = name
    .split(/\s+/)
    .filter((word) => word.charAt(0).toLowerCase() !== word.charAt(0).toUpperCase());
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => word?.charAt(0).toUpperCase() ?? "")
    .join("");
}
