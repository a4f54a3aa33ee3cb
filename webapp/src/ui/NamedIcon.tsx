import { Glyph } from "./icons";

/** Drawings by the icon class names that the content uses. */
const drawings: Readonly<Record<string, string>> = {
  "fa-bolt": "M13 3 5.5 13.5H11L10 21l8.5-11H13Z",
  "fa-child":
    "M12 6.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM5 8.5c2 1.8 4.5 2.5 7 2.5s5-.7 7-2.5M9.5 11v10M14.5 11v10M9.5 16h5",
  "fa-eye":
    "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Zm9.5 3a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z",
  "fa-face-smile":
    "M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17ZM8.5 14c1.6 2.3 5.4 2.3 7 0M9 9.5v.5M15 9.5v.5",
  "fa-gem": "M6.5 4h11L21 9.5 12 20.5 3 9.5ZM3 9.5h18M9 9.5 12 20l3-10.5L12 4 9 9.5",
  "fa-hand-holding-heart":
    "M12 10.5S8 8.2 8 5.4A2.2 2.2 0 0 1 12 4a2.2 2.2 0 0 1 4 1.4c0 2.8-4 5.1-4 5.1ZM3 14h3l2.5 1.5H13a1.5 1.5 0 0 1 0 3H9.5M14.5 17l4.3-2.2a1.5 1.5 0 0 1 1.5 2.6L14 21H6l-3-1",
  "fa-heart-pulse":
    "M12 20s-7.8-4.6-7.8-10.2A4.3 4.3 0 0 1 12 7.3a4.3 4.3 0 0 1 7.8 2.5C19.8 15.4 12 20 12 20ZM4.5 12.5h4l1.5-3 2.5 5 1.5-2h5.5",
  "fa-kit-medical":
    "M4 7.5h16a1 1 0 0 1 1 1V19a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V8.5a1 1 0 0 1 1-1ZM8.5 7.5V5a1 1 0 0 1 1-1h5a1 1 0 0 1 1 1v2.5M12 10.5v6M9 13.5h6",
  "fa-leaf": "M5 19c0-9 5-14 15-14 0 10-5 15-12 13.5M5 21c.5-5 4-8.5 9-10",
  "fa-list-check":
    "m3.5 6.5 1.5 1.5L8 5M3.5 13 5 14.5 8 11.5M4.5 19.5h2M11.5 6.5H21M11.5 13H21M11.5 19.5H21",
  "fa-microscope":
    "M9.5 3.5h3.5v9H9.5ZM13 6.5a6.5 6.5 0 0 1 2 12.5M4.5 20.5h15M7.5 15.5h7.5M11.2 12.5v3",
  "fa-ruler-combined": "M4 3.5v17h17v-5H9v-12ZM4 7.5h2M4 11.5h2M12.5 20.5v-2M16.5 20.5v-2",
  "fa-screwdriver-wrench":
    "M9 3.5h6l-1 3h-4ZM10.5 6.5v3M13.5 6.5v3M9.5 9.5h5l-1 11.5h-3ZM9.3 12.5h5.2M9.6 16h4.7",
  "fa-shield-heart":
    "M12 3 4.5 5.5V11c0 5 3.5 8.3 7.5 10 4-1.7 7.5-5 7.5-10V5.5ZM12 15.5s-3.5-2-3.5-4.5a2 2 0 0 1 3.5-1.2A2 2 0 0 1 15.5 11c0 2.5-3.5 4.5-3.5 4.5Z",
  "fa-stethoscope":
    "M5 3.5H4v5.5a4.5 4.5 0 0 0 9 0V3.5h-1M8.5 13.5V16a5 5 0 0 0 10 0v-2.5M18.5 13.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z",
  "fa-sun":
    "M12 16.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4",
  "fa-syringe":
    "m14 4 6 6M17 7l-2.5 2.5M8 8.5l7.5 7.5-4.5 3-5.5-5.5ZM8 16l-4.5 4.5M10.5 11l2 2M8.5 13l2 2",
  "fa-teeth":
    "M6 4h12a3 3 0 0 1 3 3v10a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3V7a3 3 0 0 1 3-3ZM6.5 7.5h3V11h-3ZM14.5 7.5h3V11h-3ZM9.5 7h5v4.5h-5ZM6.5 13.5h3V16.5h-3ZM14.5 13.5h3v3h-3ZM9.5 13.5h5V17h-5Z",
  "fa-teeth-open":
    "M4 10.5V7.5A3.5 3.5 0 0 1 7.5 4h9A3.5 3.5 0 0 1 20 7.5v3M4 13.5v3A3.5 3.5 0 0 0 7.5 20h9a3.5 3.5 0 0 0 3.5-3.5v-3M7.5 7.5v3M12 7v4M16.5 7.5v3M7.5 16.5v-3M12 17v-4M16.5 16.5v-3M4 10.5h16M4 13.5h16",
  "fa-tooth":
    "M8.2 3.5c1.6 0 2.4.8 3.8.8s2.2-.8 3.8-.8c2.6 0 4.2 2 4.2 4.6 0 3.6-2.1 5.2-2.6 8.3-.4 2-.7 4.1-2.3 4.1-2.2 0-1.3-5.8-3.1-5.8s-.9 5.8-3.1 5.8c-1.6 0-1.9-2.1-2.3-4.1C6.1 13.3 4 11.7 4 8.1c0-2.6 1.6-4.6 4.2-4.6Z",
  "fa-user-doctor":
    "M12 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 21c0-4.3 3.2-7 7.5-7s7.5 2.7 7.5 7M9.5 14.5l2.5 3 2.5-3M12 17.5V21",
  "fa-wand-magic-sparkles":
    "M4 20 14.5 9.5M13 8l3 3M18 3v4M16 5h4M19.5 13v3M18 14.5h3M8 4v3M6.5 5.5h3",
};

interface NamedIconProps {
  /** An icon class name of the content; a tooth stands for one that nobody drew. */
  readonly name: string;
  readonly className?: string;
}

/** An icon that the content names. */
export function NamedIcon({ name, className }: NamedIconProps) {
  return (
    <Glyph className={className}>
      <path d={drawings[name] ?? drawings["fa-tooth"]} />
    </Glyph>
  );
}
