/** Filled signs on a 24 px grid, by the name of the service. */
const signs: Readonly<Record<string, string>> = {
  Facebook:
    "M13.6 21v-7.6h2.6l.5-3.1h-3.1v-2c0-.9.4-1.7 1.7-1.7h1.5V3.9c-.7-.1-1.6-.2-2.4-.2-2.6 0-4.2 1.6-4.2 4.2v2.4H7.4v3.1h2.8V21Z",
  Instagram:
    "M8 3.5h8A4.5 4.5 0 0 1 20.5 8v8a4.5 4.5 0 0 1-4.5 4.500H8A4.5 4.5 0 0 1 3.5 16V8A4.5 4.5 0 0 1 8 3.500Zm0 2A2.5 2.5 0 0 0 5.5 8v8A2.5 2.5 0 0 0 8 18.500h8a2.5 2.5 0 0 0 2.5-2.500V8A2.5 2.5 0 0 0 16 5.500Zm4 2.300a4.2 4.2 0 1 1 0 8.4 4.2 4.2 0 0 1 0-8.400Zm0 2a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.400Zm4.4-3.200a1.1 1.1 0 1 1 0 2.2 1.1 1.1 0 0 1 0-2.200Z",
  Twitter:
    "m4 4 6.3 8.400L4.2 20h2.100l5-6.1 4.5 6.100H20l-6.6-8.900L19 4h-2.100l-4.5 5.500L8.3 4Zm3 1.500h.900l9.1 12.900h-1Z",
  YouTube:
    "M6 5.500h12A3 3 0 0 1 21 8.500v7a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3v-7a3 3 0 0 1 3-3Zm4.2 3.600v5.800l5-2.900Z",
  LinkedIn:
    "M6.2 4a1.9 1.9 0 1 1 0 3.8 1.9 1.9 0 0 1 0-3.800ZM4.6 9.300h3.200V20H4.600ZM10 9.300h3v1.500c.5-.9 1.6-1.8 3.3-1.8 3 0 3.7 1.9 3.7 4.700V20h-3.200v-5.600c0-1.4-.2-2.7-1.7-2.7-1.6 0-1.9 1.2-1.9 2.600V20H10Z",
};

/** The logo of a social network. */
export function BrandIcon({ name }: { readonly name: string }) {
  return (
    <svg
      aria-hidden="true"
      className="size-5"
      fill="currentColor"
      fillRule="evenodd"
      focusable="false"
      viewBox="0 0 24 24"
    >
      <path d={signs[name]} />
    </svg>
  );
}
