import { textsCall } from "../api/content";
import { clinic } from "../content/clinic";
import { fill } from "../content/fill";
import type { Meta } from "../content/pages";
import { staffPages } from "../content/staffPages";
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
  /** Whether the picture is a JPEG of 1200 × 630 pixels of the clinic's own, and what is seen on it. */
  readonly shared?: { readonly alt: string } | undefined;
}

/** What a page's head takes from the page's record. */
interface PageRecord {
  readonly pageTitle: string;
  readonly pageDescription: string;
  readonly imageUrl?: string;
}

/** Drawn by webapp/illustrations for pages that have no picture of their own. */
const sharedImage = "/img/share.png";

/** The head of the page at a path. `answerOf` gives the server's answer to a call, if there is one. */
export function headOf(path: string, answerOf: (call: string) => unknown): Head {
  const { route, slug } = matchRoute(path);
  const call = route.record?.(slug);
  const record = call === undefined ? undefined : (answerOf(call) as PageRecord | undefined);
  const staff = staffRoutes.find((known) => known === canonicalPath(path));
  const missing = !staff && (route === notFound || (call !== undefined && !record));
  const said = () => {
    if (staff) return staffPages[staff];
    if (record) return { title: record.pageTitle, description: record.pageDescription };
    const page = missing ? notFound : route;
    return (answerOf(textsCall(page.texts)) as { meta?: Meta } | undefined)?.meta;
  };
  const { title, description } = said() ?? { title: clinic.name, description: "" };
  const own =
    clinic.images[sharedName(route.path, slug)] ??
    (record?.imageUrl ? undefined : clinic.images.share);
  return {
    status: missing ? 404 : 200,
    title: fill(title),
    description: fill(description),
    canonical: canonicalPath(path),
    indexed: !missing && !staff,
    kind: route.path.startsWith("/blog/") ? "article" : "website",
    image: own?.share ?? record?.imageUrl ?? sharedImage,
    shared: own && { alt: own.alt },
  };
}

/** The name of the clinic's own picture for networks. */
function sharedName(route: string, slug: string): string {
  if (route.startsWith("/services/")) return `services/${slug || route.slice("/services/".length)}`;
  return route.startsWith("/blog/") ? `posts/${slug}` : "share";
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
    ...(head.shared
      ? [
          meta("property", "og:image:type", "image/jpeg"),
          meta("property", "og:image:width", "1200"),
          meta("property", "og:image:height", "630"),
          ...(head.shared.alt ? [meta("property", "og:image:alt", head.shared.alt)] : []),
        ]
      : []),
    meta("name", "twitter:card", "summary_large_image"),
  ];
}
