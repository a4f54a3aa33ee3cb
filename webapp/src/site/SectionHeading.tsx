import { classes } from "../ui/classes";

interface SectionHeadingProps {
  readonly heading: string;
  readonly intro?: string | undefined;
  readonly className?: string;
}

/** A section's heading and the sentence that leads into it. */
export function SectionHeading({ heading, intro, className }: SectionHeadingProps) {
  return (
    <div className={classes("max-w-[42rem]", className)}>
      <h2 className="text-balance font-semibold text-teal-900 text-title">{heading}</h2>
      {intro && <p className="mt-3 text-pretty text-ink-600 text-lg leading-8">{intro}</p>}
    </div>
  );
}
