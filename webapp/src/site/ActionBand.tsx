import type { ReactNode } from "react";
import { classes } from "../ui/classes";

interface ActionBandProps {
  readonly heading: string;
  readonly text: string;
  /** The classes of the row of buttons. */
  readonly className?: string;
  readonly children: ReactNode;
}

/** The band at a page's end, with buttons that lead on. */
export function ActionBand({ heading, text, className, children }: ActionBandProps) {
  return (
    <section className="bg-teal-800">
      <div className="page flex flex-col items-start gap-8 page-section lg:flex-row lg:items-center lg:justify-between">
        <div>
          <h2 className="text-balance font-semibold text-title text-white">{heading}</h2>
          <p className="mt-3 max-w-[36rem] text-lg text-teal-100 leading-8">{text}</p>
        </div>
        <div className={classes("flex flex-wrap gap-3", className)}>{children}</div>
      </div>
    </section>
  );
}
