import { textsCall } from "../api/content";
import { clinic, type OwnPicture } from "../content/clinic";
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
  readonly image: SharedImage;
}

/** The picture with which a page is shared, all of one size. */
interface SharedImage {
  /** A path of this site. */
  readonly source: string;
  readonly alt: string;
}

const sharedSize = { width: "1200", height: "630" };

/** What a page's head takes from the page's record. */
interface PageRecord {
  readonly pageTitle: string;
  readonly pageDescription: string;
  readonly imageUrl?: string;
}

/** Drawn by webapp/illustrations for pages that have no picture of their own. */
const sharedImage = "/img/share.png";

/** The clinic's own picture of what a page is about, or of the site. */
function ownImageOf(route: string, slug: string, picture: string | undefined) {
  const folder = { "/services/": "services", "/blog/": "posts" }[route.replace(/[^/]*$/, "")];
  const own = folder ? clinic.images[`${folder}/${slug}`] : undefined;
  return own ?? (picture ? undefined : clinic.images.share);
}

/** The server makes a JPEG of the right size of the clinic's own pictures, and of each of the build's. */
function sharedImageOf(
  own: OwnPicture | undefined,
  picture: string | undefined,
  title: string,
): SharedImage {
  if (own?.share) return { source: own.share, alt: own.alt || title };
  const [, name] = /^\/img\/(.+)\.webp$/.exec(picture ?? "") ?? [];
  return name
    ? { source: `/social/${name}.jpg`, alt: title }
    : { source: sharedImage, alt: clinic.name };
}

/** The path of the picture with which the site as a whole is shared. */
export const siteImage = (): string => clinic.images.share?.share ?? sharedImage;

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
  return {
    status: missing ? 404 : 200,
    title: fill(title),
    description: fill(description),
    canonical: canonicalPath(path),
    indexed: !missing && !staff,
    kind: route.path.startsWith("/blog/") ? "article" : "website",
    image: sharedImageOf(
      ownImageOf(route.path, slug, record?.imageUrl),
      record?.imageUrl,
      fill(title),
    ),
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
    meta("property", "og:image", origin + head.image.source),
    meta("property", "og:image:width", sharedSize.width),
    meta("property", "og:image:height", sharedSize.height),
    meta("property", "og:image:alt", head.image.alt),
    meta("name", "twitter:card", "summary_large_image"),
  ];
}
