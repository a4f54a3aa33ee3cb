import type { ReactNode } from "react";

interface IconProps {
  readonly className?: string | undefined;
}

interface GlyphProps extends IconProps {
  readonly children: ReactNode;
}

/** One family: 24 px grid, 1.75 px round strokes, decorative for screen readers. */
export function Glyph({ className = "size-5", children }: GlyphProps) {
  return (
    <svg
      aria-hidden="true"
      className={className}
      fill="none"
      focusable="false"
      stroke="currentColor"
      strokeLinecap="round"
      strokeLinejoin="round"
      strokeWidth="1.75"
      viewBox="0 0 24 24"
    >
      {children}
    </svg>
  );
}

/** An icon of the family: what it draws, in a size that a class can change. */
export function glyph(drawing: ReactNode) {
  return (props: IconProps) => <Glyph {...props}>{drawing}</Glyph>;
}

export const PhoneIcon = glyph(
  <path d="M6.6 3.5h2.3c.5 0 .9.3 1 .8l.8 3.3c.1.4 0 .8-.3 1.1L8.7 10.3a12.5 12.5 0 0 0 5 5l1.6-1.7c.3-.3.7-.4 1.1-.3l3.3.8c.5.1.8.5.8 1v2.3a2.6 2.6 0 0 1-2.8 2.6C10.6 19.5 4.5 13.4 4 6.3a2.6 2.6 0 0 1 2.6-2.8Z" />,
);
export const PinIcon = glyph(
  <>
    <path d="M12 21s7-6.1 7-11.3a7 7 0 1 0-14 0C5 14.9 12 21 12 21Z" />
    <circle cx="12" cy="9.7" r="2.5" />
  </>,
);
export const ClockIcon = glyph(
  <>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M12 7v5.2l3.2 1.9" />
  </>,
);
export const MailIcon = glyph(
  <>
    <rect height="14" rx="2.5" width="18" x="3" y="5" />
    <path d="m4 7.5 6.7 5.2a2.1 2.1 0 0 0 2.6 0L20 7.5" />
  </>,
);
export const CalendarIcon = glyph(
  <>
    <rect height="16" rx="2.5" width="17" x="3.5" y="4.5" />
    <path d="M3.5 9.5h17M8 2.8v3.4M16 2.8v3.4" />
  </>,
);
export const ChatIcon = glyph(
  <path d="M20.5 11.5c0 4.1-3.8 7.5-8.5 7.5-1 0-2-.1-2.9-.4L4.5 20.5l1.3-3.9A7 7 0 0 1 3.5 11.5C3.5 7.4 7.3 4 12 4s8.5 3.4 8.5 7.5Z" />,
);
export const CloseIcon = glyph(<path d="m6.5 6.5 11 11M17.5 6.5l-11 11" />);
export const MenuIcon = glyph(<path d="M4 7h16M4 12h16M4 17h16" />);
export const CheckIcon = glyph(
  <>
    <circle cx="12" cy="12" r="8.5" />
    <path d="m8.3 12.3 2.6 2.6 4.8-5.4" />
  </>,
);
export const WarningIcon = glyph(
  <>
    <path d="M10.4 4.3 2.9 17.2A1.85 1.85 0 0 0 4.5 20h15a1.85 1.85 0 0 0 1.6-2.8L13.6 4.3a1.85 1.85 0 0 0-3.2 0Z" />
    <path d="M12 9.3v4.2M12 16.7v.1" />
  </>,
);
export const RefreshIcon = glyph(
  <path d="M19.5 12a7.5 7.5 0 1 1-2.2-5.3l2.2 2.1M19.5 4.5v4.3h-4.3" />,
);
export const ChevronLeftIcon = glyph(<path d="m14.5 6-6 6 6 6" />);
export const ChevronRightIcon = glyph(<path d="m9.5 6 6 6-6 6" />);
export const ChevronDownIcon = glyph(<path d="m6 9.5 6 6 6-6" />);
export const ArrowRightIcon = glyph(<path d="M4.5 12h15m0 0-5.5-5.5M19.5 12 14 17.5" />);
export const PlayIcon = glyph(<path d="M8 5.5v13l10.5-6.5Z" fill="currentColor" />);
export const ThumbUpIcon = glyph(
  <path d="M7.5 10.5v9H4.8a.8.8 0 0 1-.8-.8v-7.4c0-.4.4-.8.8-.8h2.7Zm0 0 3.7-6.6c1.4 0 2.3 1.2 2.1 2.5l-.5 3.1h5a2 2 0 0 1 2 2.4l-1.2 6a2 2 0 0 1-2 1.6H7.5" />,
);
export const ThumbDownIcon = glyph(
  <path d="M7.5 13.5v-9H4.8a.8.8 0 0 0-.8.8v7.4c0 .4.4.8.8.8h2.7Zm0 0 3.7 6.6c1.4 0 2.3-1.2 2.1-2.5l-.5-3.1h5a2 2 0 0 0 2-2.4l-1.2-6a2 2 0 0 0-2-1.6H7.5" />,
);
