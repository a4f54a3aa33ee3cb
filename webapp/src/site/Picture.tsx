import { useEffect, useRef, useState } from "react";
import type { OwnPicture } from "../content/clinic";
import { classes } from "../ui/classes";
import { focusClasses, imageVariants, ownVariants, placeholderImage } from "./images";

interface PictureProps {
  /** The clinic's own picture, which is tried before the others. */
  readonly own?: OwnPicture | undefined;
  /** Addresses in the order in which they are tried; the placeholder comes last by itself. */
  readonly sources: readonly (string | undefined)[];
  /** How wide the picture is shown, as the `sizes` of an image. */
  readonly sizes: string;
  readonly className?: string | undefined;
  /** Loads at once, before other pictures: for what is seen first. */
  readonly first?: boolean;
}

/** A picture that covers its box, in the format and width that suit, or the next best. */
export function Picture({ own, sources, sizes, className, first = false }: PictureProps) {
  const candidates = [own?.src, ...sources, placeholderImage].filter((one) => one !== undefined);
  const [failed, setFailed] = useState(0);
  const image = useRef<HTMLImageElement>(null);
  const source = candidates[failed] ?? placeholderImage;
  const shown = source === own?.src ? own : undefined;
  const next = () => setFailed((count) => Math.min(count + 1, candidates.length - 1));

  // A picture of the server's HTML may have failed before anything listened.
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at once
  useEffect(() => {
    const { complete, naturalWidth } = image.current ?? {};
    if (complete && naturalWidth === 0) next();
  }, []);

  const variants = shown ? ownVariants(shown) : imageVariants(source);
  return (
    <picture className="contents">
      {variants.map(({ type, phone, all }) => [
        <source key={`${type}-phone`} media="(max-width: 767px)" srcSet={phone} type={type} />,
        <source key={type} sizes={sizes} srcSet={all} type={type} />,
      ])}
      <img
        alt={shown?.alt ?? ""}
        className={classes("size-full object-cover", shown && focusClasses(shown.focus), className)}
        decoding="async"
        fetchPriority={first ? "high" : "auto"}
        height={shown?.height ?? 720}
        loading={first ? "eager" : "lazy"}
        onError={next}
        ref={image}
        src={source}
        width={shown?.width ?? 1280}
      />
    </picture>
  );
}
