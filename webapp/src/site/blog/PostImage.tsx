import { useEffect, useRef, useState } from "react";
import { classes } from "../../ui/classes";

interface PostImageProps {
  readonly src: string | undefined;
  readonly className?: string;
  /** The first picture of a page is not to wait. */
  readonly urgent?: boolean;
}

/** A post's picture, which only decorates; a drawing where there is none or it cannot be loaded. */
export function PostImage({ src, className, urgent }: PostImageProps) {
  const [failed, setFailed] = useState(false);
  const image = useRef<HTMLImageElement>(null);

  useEffect(() => {
    // It may have failed before anybody listened.
    if (image.current?.complete && image.current.naturalWidth === 0) setFailed(true);
  }, []);

  if (!src || failed) return <Placeholder className={className} />;
  return (
    <img
      alt=""
      className={classes("object-cover", className)}
      decoding="async"
      fetchPriority={urgent ? "high" : "auto"}
      height={450}
      loading={urgent ? "eager" : "lazy"}
      onError={() => setFailed(true)}
      ref={image}
      src={src}
      width={800}
    />
  );
}

function Placeholder({ className }: { readonly className: string | undefined }) {
  return (
    <svg
      aria-hidden="true"
      className={className}
      data-testid="placeholder-image"
      focusable="false"
      preserveAspectRatio="xMidYMid slice"
      viewBox="0 0 320 180"
    >
      <path className="fill-teal-100" d="M0 0h320v180H0Z" />
      <circle className="fill-white" cx="160" cy="92" opacity=".5" r="66" />
      <circle className="fill-clay-400" cx="246" cy="46" r="18" />
      <path className="fill-teal-200" d="M0 150c60-26 110-14 164-2s108 16 156-8v40H0Z" />
      <path
        className="fill-white stroke-teal-700"
        d="M143 56c8 0 11 4 17 4s9-4 17-4c11 0 17 8 17 19 0 15-8 22-11 35-1.5 9-3 19-9 19-8 0-6-25-14-25s-6 25-14 25c-6 0-7.5-10-9-19-3-13-11-20-11-35 0-11 6-19 17-19Z"
        strokeLinejoin="round"
        strokeWidth="2.5"
      />
      <path className="fill-teal-500" d="M62 158c-14-13-17-30-10-48 13 11 17 29 10 48Z" />
      <path className="fill-teal-400" d="M66 160c-2-19 6-34 23-43 3 18-5 34-23 43Z" />
    </svg>
  );
}
