/** A piece of a message: plain text, or text that leads somewhere. */
type Piece =
  | { readonly text: string; readonly href?: undefined }
  | { readonly text: string; readonly href: string };

const allowedProtocols: ReadonlySet<string> = new Set(["http:", "https:", "mailto:", "tel:"]);

const linkPattern =
  /\[([^\][\n]+)\]\(([^()\s]+)\)|((?:https?:\/\/|mailto:|tel:)[^\s<>"'[\]]*[^\s<>"'[\].,;:!?)])/gi;

function allowedAddress(address: string): string | undefined {
  try {
    const { protocol, href } = new URL(address);
    return allowedProtocols.has(protocol) ? href : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Splits a message into text and links. Only http, https, mailto and tel
 * addresses become links, written bare or as `[label](address)`; everything
 * else stays the text it is.
 */
export function richText(message: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of message.matchAll(linkPattern)) {
    const [whole, label, labelled, bare] = match;
    const href = allowedAddress(labelled ?? bare ?? "");
    if (!href) continue;
    if (match.index > end) pieces.push({ text: message.slice(end, match.index) });
    pieces.push({ text: label ?? whole.replace(/^(mailto|tel):/i, ""), href });
    end = match.index + whole.length;
  }
  if (end < message.length) pieces.push({ text: message.slice(end) });
  return pieces;
}
