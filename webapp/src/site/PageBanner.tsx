interface PageBannerProps {
  readonly title: string;
  readonly text: string;
  /** A line above the title. */
  readonly eyebrow?: string;
}

/** The band on which a page says what it is about. */
export function PageBanner({ title, text, eyebrow }: PageBannerProps) {
  return (
    <section className="relative isolate overflow-hidden bg-teal-900 text-white">
      <Leaves />
      <div className="page page-section">
        {eyebrow && <p className="mb-3 font-semibold text-[0.9375rem] text-clay-100">{eyebrow}</p>}
        <h1 className="max-w-[20ch] text-balance font-semibold text-display">{title}</h1>
        <p className="mt-5 max-w-[34rem] text-pretty text-lg text-teal-100 leading-8">{text}</p>
      </div>
    </section>
  );
}

/** The leaves and the sun of the home page's window, at the banner's right end where no words reach. */
function Leaves() {
  return (
    <svg
      aria-hidden="true"
      className="-z-10 absolute right-0 bottom-0 h-full max-h-80 w-auto max-lg:hidden"
      focusable="false"
      viewBox="0 0 420 320"
    >
      <circle className="fill-none stroke-teal-700" cx="300" cy="150" r="150" strokeWidth="2" />
      <circle className="fill-teal-800" cx="300" cy="150" r="118" />
      <circle className="fill-clay-400" cx="352" cy="92" r="34" />
      <path className="fill-teal-700" d="M40 320c50-62 120-66 184-42s120 30 196-22v64Z" />
      <path className="fill-teal-600" d="M130 320c58-34 122-24 172-8s84 10 118-12v20Z" />
      <g className="fill-teal-500">
        <path d="M250 300c-30-30-36-70-20-112 30 26 38 68 20 112Z" />
        <path className="fill-teal-400" d="M258 304c-4-44 14-78 54-100 8 42-12 80-54 100Z" />
        <path d="M250 306c-34-4-60-26-68-60 36 0 62 24 68 60Z" />
      </g>
    </svg>
  );
}
