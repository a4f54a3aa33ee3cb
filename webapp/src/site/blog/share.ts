import { fill } from "../../content/fill";
import type { PageTexts } from "../../content/pages";

type ShareTexts = PageTexts["blog"]["article"]["share"];

/** What is shared; `address` is the page's own, with its origin. */
interface Shared {
  readonly address: string;
  readonly title: string;
  readonly excerpt: string;
}

/** A way to share an article. */
interface ShareLink {
  readonly network: "Facebook" | "Twitter" | "LinkedIn" | "email";
  readonly label: string;
  readonly href: string;
}

/** Not URLSearchParams: the server renders this too, and a mail's text must have no plus signs. */
function query(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
}

/** The links that share an article. */
export function shareLinks(
  { address, title, excerpt }: Shared,
  texts: ShareTexts,
): readonly ShareLink[] {
  const facebook = query({ u: address, title, description: excerpt });
  const twitter = query({ url: address, text: `${title}. ${excerpt}` });
  const linkedIn = query({ mini: "true", url: address, title, summary: excerpt });
  const mail = query({ subject: title, body: fill(texts.mailBody, { url: address }) });
  return [
    {
      network: "Facebook",
      label: texts.facebook,
      href: `https://www.facebook.com/sharer/sharer.php?${facebook}`,
    },
    {
      network: "Twitter",
      label: texts.twitter,
      href: `https://twitter.com/intent/tweet?${twitter}`,
    },
    {
      network: "LinkedIn",
      label: texts.linkedin,
      href: `https://www.linkedin.com/shareArticle?${linkedIn}`,
    },
    { network: "email", label: texts.email, href: `mailto:?${mail}` },
  ];
}
