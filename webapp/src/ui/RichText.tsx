import type { ReactNode } from "react";
import { interfaceTexts } from "../content/interface";
import { richText } from "./links";

interface RichTextProps {
  readonly text: string;
  /** Draws the text of a piece, where it is more than itself. */
  readonly draw?: ((text: string) => ReactNode) | undefined;
}

/** A message as text with its allowed links; never as markup. */
export function RichText({ text, draw = (plain) => plain }: RichTextProps) {
  return richText(text).map((piece, index) => {
    // The pieces of one text never move.
    const key = `${index}`;
    if (piece.href === undefined) return <span key={key}>{draw(piece.text)}</span>;
    const external = /^https?:/.test(piece.href);
    return (
      <a
        className="break-words font-medium underline underline-offset-2"
        href={piece.href}
        key={key}
        {...(external && { target: "_blank", rel: "noopener noreferrer" })}
      >
        {draw(piece.text)}
        {external && <span className="sr-only"> {interfaceTexts.newTab}</span>}
      </a>
    );
  });
}
