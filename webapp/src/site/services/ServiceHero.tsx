import type { ReactNode } from "react";
import type { OwnPicture } from "../../content/clinic";
import { Picture } from "../Picture";
import { PictureBand } from "../PictureBand";

interface ServiceHeroProps {
  readonly title: string;
  readonly text: string;
  readonly own: OwnPicture | undefined;
  readonly imageUrl?: string | undefined;
  readonly children?: ReactNode;
}

/** A service's name beside its own picture, or over the drawing, darkened by 60 % for the text's sake. */
export function ServiceHero({ own, imageUrl, ...words }: ServiceHeroProps) {
  if (own) {
    return (
      <section>
        <PictureBand
          className="flex flex-col justify-center py-14 md:py-20 lg:min-h-[26rem]"
          imageUrl={imageUrl}
          own={own}
        >
          <Words {...words} />
        </PictureBand>
      </section>
    );
  }
  return (
    <section className="relative isolate overflow-hidden bg-teal-900 text-white">
      {imageUrl && (
        <>
          <Picture className="-z-20 absolute inset-0" first sizes="100vw" sources={[imageUrl]} />
          <div className="-z-10 absolute inset-0 bg-black/60" data-testid="overlay" />
        </>
      )}
      <div className="page flex min-h-[20rem] flex-col justify-center py-14 md:min-h-[26rem] md:py-20">
        <Words {...words} />
      </div>
    </section>
  );
}

function Words({ title, text, children }: Omit<ServiceHeroProps, "own" | "imageUrl">) {
  return (
    <>
      <h1 className="max-w-[16ch] text-balance font-semibold text-display">{title}</h1>
      <p className="mt-5 max-w-[36rem] text-pretty text-lg text-teal-50 leading-8">{text}</p>
      {children && <div className="mt-8 flex flex-wrap gap-3">{children}</div>}
    </>
  );
}
