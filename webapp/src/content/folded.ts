/** A text as it is compared and made a name of: without accents and capitals. */
export function folded(text: string): string {
  // By code points: the server's engine knows no \p{M}.
  return text
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase();
}
