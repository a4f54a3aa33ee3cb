import type { ReactElement } from "react";
import { ClockIcon, HeartIcon, PersonIcon, SparkIcon } from "../../ui/icons";

const strokes = {
  "fa-handshake":
    "m11.5 7.5-3 3a1.8 1.8 0 0 0 2.6 2.5l1.9-1.9 5 4.9M3 7.5l3-1 4 1 1.5-1 2.5 1 4-1 3 1M3 15.5h2l4.2 3.7a1.7 1.7 0 0 0 2.3 0 1.7 1.7 0 0 0 2.5-.7 1.7 1.7 0 0 0 2.4-1 1.7 1.7 0 0 0 1.6-1.5h3M3 7.5v8M21 7.5v8",
  "fa-lightbulb":
    "M9.2 17.2c0-2.2-3.2-3.5-3.2-7.2a6 6 0 0 1 12 0c0 3.7-3.2 5-3.2 7.2ZM9.5 20.5h5M12 17v-4.5m-2-1.5 2 1.5 2-1.5",
  "fa-book-open":
    "M12 6.5C10 5 7 4.5 3.5 4.8v13.4c3.5-.3 6.5.2 8.5 1.8 2-1.6 5-2.1 8.5-1.8V4.8C17 4.5 14 5 12 6.5Zm0 0V20",
  "fa-scale-balanced":
    "M12 4v16m-4.5 0h9M5.5 6.5h13M5.5 6.5 2.8 13a2.9 2.9 0 0 0 5.4 0Zm13 0L15.8 13a2.9 2.9 0 0 0 5.4 0Z",
  "fa-microscope": "M9 3.8h3.4v8.4H9ZM10.7 12.2v2M6 20.2h12.5M8 17h6M12.4 6.5a6.9 6.9 0 0 1 3 13.7",
} as const;

const known: Readonly<Record<string, (props: { className?: string }) => ReactElement>> = {
  "fa-clock": ClockIcon,
  "fa-heart": HeartIcon,
  "fa-hand-holding-heart": HeartIcon,
  "fa-user-doctor": PersonIcon,
};

/** The drawing that a text names. */
export function NamedIcon({ name, className = "size-6" }: { name: string; className?: string }) {
  const Known = known[name];
  if (Known) return <Known className={className} />;
  const path = strokes[name as keyof typeof strokes];
  if (!path) return <SparkIcon className={className} />;
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
      <path d={path} />
    </svg>
  );
}
