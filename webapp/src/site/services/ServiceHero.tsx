import type { ReactNode } from "react";
import type { Schemas } from "../../api/client";
import { ownPicture } from "../images";
import { PictureBand } from "../PictureBand";

interface ServiceHeroProps {
  readonly service: Schemas["Service"];
  readonly title: string;
  readonly text: string;
  readonly children?: ReactNode;
}

/** A service's name with its picture. */
export function ServiceHero({ service, title, text, children }: ServiceHeroProps) {
  return (
    <section>
      <PictureBand
        className="min-h-64 py-12 md:min-h-104 md:py-20"
        imageUrl={service.imageUrl}
        own={ownPicture(`services/${service.slug}`)}
      >
        <h1 className="max-w-[16ch] text-balance font-semibold text-display">{title}</h1>
        <p className="mt-5 max-w-[36rem] text-pretty text-lg text-teal-50 leading-8">{text}</p>
        {children && <div className="mt-8 flex flex-wrap gap-3">{children}</div>}
      </PictureBand>
    </section>
  );
}
