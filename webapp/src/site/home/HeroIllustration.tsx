/**
 * The clinic's window: a tooth that stands calm among leaves under a warm sun.
 * Two hues and one warm accent, like every drawing of the site.
 */
export function HeroIllustration({ className }: { readonly className?: string }) {
  return (
    <svg aria-hidden="true" className={className} focusable="false" viewBox="30 40 430 460">
      <path
        className="fill-teal-100"
        d="M40 500V240C40 129.5 129.5 40 240 40s200 89.5 200 200v260Z"
      />
      <path
        className="fill-none stroke-teal-200"
        d="M64 500V240c0-97.2 78.8-176 176-176s176 78.8 176 176v260"
        strokeWidth="2"
      />
      <circle className="fill-clay-400" cx="338" cy="168" r="46" />
      <circle
        className="fill-none stroke-clay-400"
        cx="338"
        cy="168"
        opacity=".45"
        r="62"
        strokeWidth="2"
      />
      <path className="fill-teal-200" d="M40 432c66-44 128-40 196-16s132 34 204-10v94H40Z" />
      <path className="fill-teal-300" d="M40 468c84-34 150-22 214-6s120 20 186-14v52H40Z" />
      <g>
        <path
          className="fill-white"
          d="M187 176c24 0 35 12 53 12s29-12 53-12c34 0 54 27 54 62 0 48-27 70-34 112-5 29-10 62-30 62-27 0-18-80-43-80s-16 80-43 80c-20 0-25-33-30-62-7-42-34-64-34-112 0-35 20-62 54-62Z"
        />
        <path
          className="fill-teal-50"
          d="M293 176c34 0 54 27 54 62 0 48-27 70-34 112-5 29-10 62-30 62-13 0-17.5-18-20.5-37 26-6 30-52 40-88 10-37 22-76-9.5-111Z"
        />
        <path
          className="fill-none stroke-teal-700"
          d="M187 176c24 0 35 12 53 12s29-12 53-12c34 0 54 27 54 62 0 48-27 70-34 112-5 29-10 62-30 62-27 0-18-80-43-80s-16 80-43 80c-20 0-25-33-30-62-7-42-34-64-34-112 0-35 20-62 54-62Z"
          strokeLinejoin="round"
          strokeWidth="5"
        />
        <path
          className="fill-none stroke-teal-700"
          d="M204 292c10 14 22 21 36 21s26-7 36-21"
          strokeLinecap="round"
          strokeWidth="5"
        />
        <path
          className="fill-none stroke-teal-300"
          d="M163 236c1-16 9-28 23-31"
          strokeLinecap="round"
          strokeWidth="6"
        />
      </g>
      <g className="fill-teal-500">
        <path d="M96 446c-28-26-34-60-20-96 26 22 34 58 20 96Z" />
        <path className="fill-teal-600" d="M104 450c-4-38 12-68 46-86 6 36-10 68-46 86Z" />
        <path className="fill-teal-400" d="M98 452c-30-4-52-22-60-52 32 0 54 20 60 52Z" />
      </g>
      <g className="fill-teal-600">
        <path d="M378 462c-8-34 4-62 34-82 10 32-2 62-34 82Z" />
        <path className="fill-teal-400" d="M384 466c22-28 46-36 70-28-12 26-38 36-70 28Z" />
        <path className="fill-teal-500" d="M374 464c-26-10-40-30-40-58 28 8 42 28 40 58Z" />
      </g>
      <path
        className="fill-clay-400"
        d="m124 150 5 14a6 6 0 0 0 3.5 3.5l14 5-14 5a6 6 0 0 0-3.5 3.5l-5 14-5-14a6 6 0 0 0-3.5-3.5l-14-5 14-5a6 6 0 0 0 3.5-3.5Z"
      />
      <path
        className="fill-white"
        d="m170 108 3 8a4 4 0 0 0 2 2l8 3-8 3a4 4 0 0 0-2 2l-3 8-3-8a4 4 0 0 0-2-2l-8-3 8-3a4 4 0 0 0 2-2Z"
      />
    </svg>
  );
}
