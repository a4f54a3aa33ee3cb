import { folded } from "../content/folded";

/** Shown where no picture could be loaded. */
export const placeholderImage = "/img/placeholder.svg";

/** The ways in which a picture of webapp/illustrations is kept. */
interface ImageVariant {
  readonly type: string;
  /** The one for phones, 640 pixels wide. */
  readonly phone: string;
  /** All widths, as a `srcset`. */
  readonly all: string;
}

const widths = ["-640", "", "-1920"] as const;

/** The formats and widths of a picture of our own; nothing for any other. */
export function imageVariants(source: string): ImageVariant[] {
  const [, stem] = /^(\/img\/.+)\.webp$/.exec(source) ?? [];
  if (stem === undefined) return [];
  return ["avif", "webp"].map((format) => ({
    type: `image/${format}`,
    phone: `${stem}-640.${format}`,
    all: widths.map((width) => `${stem}${width}.${format} ${width.slice(1) || "1280"}w`).join(", "),
  }));
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
