import type { ReactNode } from "react";
import type { OwnPicture } from "../content/clinic";
import { classes } from "../ui/classes";
import { Picture } from "./Picture";

interface PictureBandProps {
  /** What is written: it has half of the band for itself, or the band above the picture. */
  readonly children: ReactNode;
  readonly own: OwnPicture;
  /** The address of the picture that is shown where the own one fails. */
  readonly imageUrl: string | undefined;
  readonly className?: string;
}

/**
 * What a page is about beside its picture. Nothing is written on a picture of the clinic's own: nobody
 * knows how light it is, or how busy.
 */
export function PictureBand({ children, own, imageUrl, className }: PictureBandProps) {
  return (
    <div className="relative bg-teal-900 text-white">
      <div className={classes("page", className)}>
        <div className="lg:w-1/2 lg:pr-12">{children}</div>
      </div>
      <div
        className="relative overflow-hidden bg-teal-800 max-lg:aspect-video lg:absolute lg:inset-y-0 lg:right-0 lg:left-1/2"
        data-testid="own-picture"
      >
        <Picture
          first
          own={own}
          sizes="(min-width: 1024px) max(50vw, 46rem), 100vw"
          sources={[imageUrl]}
        />
      </div>
    </div>
  );
}
