import { clinic } from "../content/clinic";
import { classes } from "./classes";

interface LogoProps {
  readonly className?: string;
  /** Whether the ground is dark: a picture of the clinic's own is made for a light one. */
  readonly onDark?: boolean;
}

/** The clinic's logo: its own picture, or a tooth on its colour. */
export function Logo({ className = "size-10", onDark }: LogoProps) {
  const { logo } = clinic.images;
  if (logo)
    return (
      <img
        alt=""
        className={classes(className, "object-contain", onDark && "bg-white p-1")}
        height={logo.height}
        src={logo.src}
        width={logo.width}
      />
    );
  return (
    <svg aria-hidden="true" className={className} focusable="false" viewBox="0 0 32 32">
      <rect className="fill-teal-700" height="32" rx="9" width="32" />
      <path
        className="fill-white"
        d="M11.2 7.2c2.2 0 3.2 1 4.8 1s2.6-1 4.8-1c2.9 0 4.7 2.2 4.7 5.2 0 4-2.3 5.7-2.9 9.2-.4 2.3-.8 4.2-2.4 4.2-2.3 0-1.6-6.2-4.2-6.2s-1.9 6.2-4.2 6.2c-1.6 0-2-1.9-2.4-4.2-.6-3.5-2.9-5.2-2.9-9.2 0-3 1.8-5.2 4.7-5.2Z"
      />
    </svg>
  );
}
