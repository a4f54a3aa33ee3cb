import type { ReactNode } from "react";
import type { OwnPicture } from "../content/clinic";
import { classes } from "../ui/classes";
import { isDrawing } from "./images";
import { Picture } from "./Picture";

interface PictureBandProps {
  readonly children: ReactNode;
  readonly own: OwnPicture | undefined;
  /** The address of the record's picture, which is also shown where the own one fails. */
  readonly imageUrl: string | undefined;
  readonly className?: string;
}

/**
 * What a page is about, and its picture: beside each other where it is the clinic's own or a drawing of
 * the site. Nothing is written on those: nobody knows how light a picture is, or how busy. Any other lies
 * behind the words, darkened by 60 %.
 */
export function PictureBand({ children, own, imageUrl, className }: PictureBandProps) {
  if (!own && !isDrawing(imageUrl)) {
    return (
      <div className="relative isolate overflow-hidden bg-teal-900 text-white">
        {imageUrl && (
          <>
            <Picture className="-z-20 absolute inset-0" first sizes="100vw" sources={[imageUrl]} />
            <div className="-z-10 absolute inset-0 bg-black/60" data-testid="overlay" />
          </>
        )}
        <div className={classes("page flex flex-col justify-center", className)}>{children}</div>
      </div>
    );
  }
  return (
    <div className="relative bg-teal-900 text-white">
      <div className={classes("page flex flex-col justify-center", className)}>
        <div className="md:w-1/2 md:pr-8 lg:pr-12">{children}</div>
      </div>
      <div className="relative overflow-hidden bg-teal-800 max-md:aspect-video md:absolute md:inset-y-0 md:right-0 md:left-1/2">
        <Picture
          first
          own={own}
          sizes="(min-width: 768px) max(50vw, 46rem), 100vw"
          sources={[imageUrl]}
        />
      </div>
    </div>
  );
}
