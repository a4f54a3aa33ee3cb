/** A part of the city without names: blocks, streets, a bay, and where the clinic is. */
export function MapDrawing({ className }: { readonly className?: string }) {
  return (
    <svg
      aria-hidden="true"
      className={className}
      focusable="false"
      preserveAspectRatio="xMidYMid slice"
      viewBox="0 0 1200 480"
    >
      <path className="fill-sand-100" d="M0 0h1200v480H0Z" />
      <path
        className="fill-teal-200"
        d="M1200 300c-120-10-170 60-290 70s-180 50-330 56-300-20-580 30v24h1200Z"
      />
      <path className="fill-teal-100" d="M700 40h150l20 120-140 26ZM150 250l130-20 24 90-140 30Z" />
      <g className="fill-sand-200">
        <path d="M40 40h130v70H40ZM200 30h110v80H200ZM340 24h150v76H340ZM520 20h140v70H520ZM900 40h120v90H900ZM1050 44h120v84h-120Z" />
        <path d="M40 150h150v60H40ZM220 146h110v56H220ZM360 140h120v60H360ZM890 172h150v66H890ZM1070 166h110v70h-110Z" />
        <path d="M330 270h130v70H330ZM490 262h90v76h-90ZM640 262h120v66H640ZM790 258h110v56H790Z" />
      </g>
      <g className="fill-none stroke-white" strokeLinecap="round">
        <path d="M-20 236C200 226 380 236 600 228s420-6 640 20" strokeWidth="22" />
        <path d="M-20 126c260-14 480-14 700-24s360 10 560 40" strokeWidth="14" />
        <path d="M-20 370c200-10 380 14 560-6s260-50 420-60 180-30 300-30" strokeWidth="14" />
        <path
          d="M190-20c10 160-10 260 10 420M505-20c-14 140-6 260 20 400M875-20c-20 120 20 200 40 350M680-20c-4 120 0 200 10 370M1040-20c10 120 4 200 20 300"
          strokeWidth="10"
        />
      </g>
      <path
        className="fill-none stroke-teal-300"
        d="M-20 236C200 226 380 236 600 228s420-6 640 20"
        strokeDasharray="2 14"
        strokeLinecap="round"
        strokeWidth="3"
      />
      <circle className="fill-clay-400" cx="690" cy="214" opacity=".25" r="56" />
      <path className="fill-clay-500" d="M690 224s34-30 34-56a34 34 0 1 0-68 0c0 26 34 56 34 56Z" />
      <circle className="fill-white" cx="690" cy="166" r="13" />
    </svg>
  );
}
