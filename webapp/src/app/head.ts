import { clinic } from "../content/clinic";
import { fill } from "../content/fill";
import { metaTexts } from "../content/meta";
import { canonicalPath, matchRoute, notFound, staffRoutes } from "./routes";

/** One element of the document's head. */
export interface HeadElement {
  readonly tag: "title" | "meta" | "link";
  readonly attributes: Readonly<Record<string, string>>;
  readonly text?: string;
}

/** What a page says about itself to browsers, search engines and whoever shares it. */
export interface Head {
  /** 200, or 404 where there is no such page or nothing that it is about. */
  readonly status: number;
  readonly title: string;
  readonly description: string;
  readonly canonical: string;
  readonly indexed: boolean;
  readonly kind: "website" | "article";
  /** A path of this site. */
  readonly image: string;
}

/** What a page's head takes from the page's record. */
interface PageRecord {
  readonly title?: string;
  readonly description?: string;
  readonly excerpt?: string;
  readonly imageUrl?: string;
}

/** Drawn by webapp/illustrations for pages that have no picture of their own. */
const sharedImage = "/img/share.png";

/** The head of the page at a path. `answerOf` gives the server's answer to a call, if there is one. */
export function headOf(path: string, answerOf: (call: string) => unknown): Head {
  const { route, slug } = matchRoute(path);
  const call = route.record?.(slug);
  const record = call === undefined ? {} : (answerOf(call) as PageRecord | undefined);
  const staff = staffRoutes.find((known) => known === canonicalPath(path));
  const metaRoute = staff ?? (record === undefined ? notFound.path : route.path);
  const known = metaRoute !== notFound.path;
  const meta = metaTexts(metaRoute);
  const { title = "", description = "", excerpt = "", imageUrl } = record ?? {};
  return {
    status: known ? 200 : 404,
    title: fill(meta.title, { title }),
    description: fill(meta.description, { title, description, excerpt }),
    canonical: canonicalPath(path),
    indexed: known && !staff,
    kind: route.path.startsWith("/blog/") ? "article" : "website",
    image: imageUrl ?? sharedImage,
  };
}

/** The elements that say it, for a site at `origin`. */
export function headElements(head: Head, origin: string): HeadElement[] {
  const meta = (key: "name" | "property", name: string, content: string): HeadElement => ({
    tag: "meta",
    attributes: { [key]: name, content },
  });
  const address = origin + head.canonical;
  return [
    { tag: "title", attributes: {}, text: head.title },
    meta("name", "description", head.description),
    ...(head.indexed
      ? [{ tag: "link" as const, attributes: { rel: "canonical", href: address } }]
      : [meta("name", "robots", "noindex")]),
    meta("property", "og:type", head.kind),
    meta("property", "og:site_name", clinic.name),
    ...(clinic.country ? [meta("property", "og:locale", clinic.locale.replace("-", "_"))] : []),
    meta("property", "og:title", head.title),
    meta("property", "og:description", head.description),
    meta("property", "og:url", address),
    meta("property", "og:image", origin + head.image),
    meta("name", "twitter:card", "summary_large_image"),
  ];
}
