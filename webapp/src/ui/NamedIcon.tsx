import { Glyph } from "./icons";

/** The symbols of public/img/icons.svg. */
const drawn: ReadonlySet<string> = new Set(
  "bolt book-open child clock eye face-smile gem hand-holding-heart handshake heart heart-pulse kit-medical leaf lightbulb list-check microscope ruler-combined scale-balanced screwdriver-wrench shield-heart stethoscope sun syringe teeth teeth-open tooth user-doctor wand-magic-sparkles".split(
    " ",
  ),
);

interface NamedIconProps {
  /** An icon class name of the content; a tooth replaces an unknown one. */
  readonly name: string;
  readonly className?: string;
}

/** An icon that the content names, out of a file that all pages share. */
export function NamedIcon({ name, className }: NamedIconProps) {
  const known = drawn.has(name.replace("fa-", "")) ? name : "fa-tooth";
  return (
    <Glyph className={className}>
      <use href={`/img/icons.svg#${known}`} />
    </Glyph>
  );
}
