import { useEffect, useRef, useState } from "react";
import { classes } from "../ui/classes";
import { imageVariants, placeholderImage } from "./images";

interface PictureProps {
  /** Addresses in the order in which they are tried; the placeholder comes last by itself. */
  readonly sources: readonly (string | undefined)[];
  /** Empty for what only decorates. */
  readonly alt?: string;
  /** How wide the picture is shown, as the `sizes` of an image. */
  readonly sizes: string;
  readonly className?: string;
  /** Loads at once, before other pictures: for what is seen first. */
  readonly first?: boolean;
}

/** A picture that covers its box, in the format and width that suit, or the next best. */
export function Picture({ sources, alt = "", sizes, className, first = false }: PictureProps) {
  const candidates = [...sources.filter((source) => source !== undefined), placeholderImage];
  const [failed, setFailed] = useState(0);
  const image = useRef<HTMLImageElement>(null);
  const source = candidates[failed] ?? placeholderImage;
  const next = () => setFailed((count) => Math.min(count + 1, candidates.length - 1));

  // A picture of the server's HTML may have failed before anything listened.
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at once
  useEffect(() => {
    const { complete, naturalWidth } = image.current ?? {};
    if (complete && naturalWidth === 0) next();
  }, []);

  const variants = imageVariants(source);
  return (
    <picture className="contents">
      {variants.map(({ type, phone, all }) => [
        <source key={`${type}-phone`} media="(max-width: 767px)" srcSet={phone} type={type} />,
        <source key={type} sizes={sizes} srcSet={all} type={type} />,
      ])}
      <img
        alt={alt}
        className={classes("size-full object-cover", className)}
        decoding="async"
        fetchPriority={first ? "high" : "auto"}
        height="720"
        loading={first ? "eager" : "lazy"}
        onError={next}
        ref={image}
        src={source}
        width="1280"
      />
    </picture>
  );
}
