/** The accents that follow a letter of a decomposed text. By code points: the server's engine knows no \p{M}. */
const accents = "[\\u0300-\\u036f]*";

/** A text as it is compared and made a name of: without accents and capitals. */
export function folded(text: string): string {
  return text.normalize("NFD").replace(new RegExp(accents, "g"), "").toLowerCase();
}

/**
 * Cuts a text where the words occur in it, without regard to case and accents. The pieces at odd
 * indices are the occurrences.
 */
export function cutAtHits(text: string, words: string): string[] {
  const letters = Array.from(folded(words.trim()), (letter) =>
    letter.replace(/[\\^$.*+?()[\]{}|/]/, "\\$&"),
  );
  if (letters.length === 0) return [text];
  const hit = letters.map((letter) => letter + accents).join("");
  return text
    .normalize("NFD")
    .split(new RegExp(`(${hit})`, "iu"))
    .map((piece) => piece.normalize("NFC"));
}
