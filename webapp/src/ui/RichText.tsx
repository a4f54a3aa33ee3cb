import { interfaceTexts } from "../content/interface";
import { richText } from "./links";

/** A message as text with its allowed links; never as markup. */
export function RichText({ text }: { readonly text: string }) {
  return richText(text).map((piece, index) => {
    // The pieces of one text never move.
    const key = `${index}`;
    if (piece.href === undefined) return <span key={key}>{piece.text}</span>;
    const external = /^https?:/.test(piece.href);
    return (
      <a
        className="break-words font-medium underline underline-offset-2"
        href={piece.href}
        key={key}
        {...(external && { target: "_blank", rel: "noopener noreferrer" })}
      >
        {piece.text}
        {external && <span className="sr-only"> {interfaceTexts.newTab}</span>}
      </a>
    );
  });
}
