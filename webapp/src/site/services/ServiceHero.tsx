import type { ReactNode } from "react";
import { Picture } from "../Picture";

interface ServiceHeroProps {
  readonly title: string;
  readonly text: string;
  readonly imageUrl?: string | undefined;
  readonly children?: ReactNode;
}

/** A service's name over its picture, which is darkened by 60 % for the text's sake. */
export function ServiceHero({ title, text, imageUrl, children }: ServiceHeroProps) {
  return (
    <section className="relative isolate overflow-hidden bg-teal-900 text-white">
      {imageUrl && (
        <>
          <Picture className="-z-20 absolute inset-0" first sizes="100vw" sources={[imageUrl]} />
          <div className="-z-10 absolute inset-0 bg-black/60" data-testid="overlay" />
        </>
      )}
      <div className="page flex min-h-[20rem] flex-col justify-center py-14 md:min-h-[26rem] md:py-20">
        <h1 className="max-w-[16ch] text-balance font-semibold text-display">{title}</h1>
        <p className="mt-5 max-w-[36rem] text-pretty text-lg text-teal-50 leading-8">{text}</p>
        {children && <div className="mt-8 flex flex-wrap gap-3">{children}</div>}
      </div>
    </section>
  );
}
