import type { ComponentType } from "react";
import type { PageTexts } from "../content/pages";
import { staffPages } from "../content/staffPages";

/** What a public page is given: the last part of its address where the route leaves it open. */
interface PageProps {
  readonly slug: string;
}

export type Page = ComponentType<PageProps>;

/** A public page: where it is, where its code is, and which answers of the server it shows. */
interface PublicRoute {
  /** Lower case; `:slug` stands for any last part. */
  readonly path: string;
  readonly load: () => Promise<{ readonly default: Page }>;
  /** Whose texts it shows. */
  readonly texts: keyof PageTexts;
  /** The call for the record that the page is about. Without it there is no such page. */
  readonly record?: (slug: string) => string;
  /** The same call where a visitor is not taken elsewhere, but told that there is no such page. */
  readonly known?: (slug: string) => string;
}

const doctorRecord = (slug: string) => `/api/doctors/slug/${slug}`;

/** The public pages in the order in which a path is compared with them. */
export const routes: readonly PublicRoute[] = [
  { path: "/", texts: "home", load: () => import("../site/home/HomePage") },
  { path: "/about", texts: "about", load: () => import("../site/about/AboutPage") },
  {
    path: "/about/:slug",
    texts: "doctor",
    load: () => import("../site/about/DoctorPage"),
    record: doctorRecord,
    known: doctorRecord,
  },
  { path: "/services", texts: "services", load: () => import("../site/services/ServicesPage") },
  {
    path: "/services/:slug",
    texts: "services",
    load: () => import("../site/services/ServicePage"),
    record: (slug) => `/api/services/slug/${slug}`,
  },
  { path: "/contact", texts: "contact", load: () => import("../site/contact/ContactPage") },
  { path: "/privacidad", texts: "privacy", load: () => import("../site/privacy/PrivacyPage") },
  { path: "/blog", texts: "blog", load: () => import("../site/blog/BlogPage") },
  {
    path: "/blog/:slug",
    texts: "blog",
    load: () => import("../site/blog/ArticlePage"),
    record: (slug) => `/api/blog/slug/${slug}`,
  },
];

/** The staff's pages, which the browser draws. */
export const staffRoutes = Object.keys(staffPages) as (keyof typeof staffPages)[];

const notFound: PublicRoute = {
  path: "*",
  texts: "not-found",
  load: () => import("../site/NotFoundPage"),
};

interface Match {
  readonly route: PublicRoute;
  readonly slug: string;
}

/** A path as the site spells it: lower case, no slash at the end. */
export function canonicalPath(path: string): string {
  return path.toLowerCase().replace(/(.)\/+$/, "$1");
}

/** The page at a path, whatever its case; the not-found page where there is none. */
export function matchRoute(path: string): Match {
  const wanted = canonicalPath(path);
  const parent = wanted.slice(0, wanted.lastIndexOf("/"));
  const slug = wanted.slice(parent.length + 1);
  const route = routes.find((known) =>
    known.path.endsWith("/:slug")
      ? slug !== "" && known.path === `${parent}/:slug`
      : known.path === wanted,
  );
  return { route: route ?? notFound, slug };
}

export { notFound };
