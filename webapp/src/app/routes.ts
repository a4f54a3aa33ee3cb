import type { ComponentType } from "react";
import type { MetaRoute } from "../content/meta";
import type { SpecialtyTexts } from "../content/specialties";

/** What a public page is given: the last part of its address where the route leaves it open. */
interface PageProps {
  readonly slug: string;
}

export type Page = ComponentType<PageProps>;

/** A public page: where it is, where its code is, and which answers of the server it shows. */
interface PublicRoute {
  /** Lower case; `:slug` stands for any last part. Also the key of the page's meta texts. */
  readonly path: MetaRoute;
  readonly load: () => Promise<Page>;
  /** The call for the record that the page is about. Without it there is no such page. */
  readonly record?: (slug: string) => string;
}

const doctorPage = async () => (await import("../site/about/DoctorPage")).DoctorPage;

const serviceRecord = (slug: string) => `/api/services/slug/${slug}`;

/** The page of a specialty, whose texts are fetched along with its code. */
function specialty(path: MetaRoute, texts: () => Promise<{ default: unknown }>): PublicRoute {
  return {
    path,
    record: serviceRecord,
    load: async () => {
      const [{ specialtyPage }, loaded] = await Promise.all([
        import("../site/services/SpecialtyPage"),
        texts(),
      ]);
      return specialtyPage(loaded.default as SpecialtyTexts);
    },
  };
}

/** The public pages in the order in which a path is compared with them. */
export const routes: readonly PublicRoute[] = [
  { path: "/", load: async () => (await import("../site/home/HomePage")).HomePage },
  { path: "/about", load: async () => (await import("../site/about/AboutPage")).AboutPage },
  { path: "/about/irina-solanilla", load: doctorPage },
  { path: "/about/noelia-barsallo", load: doctorPage },
  { path: "/about/tadeo-villalaz", load: doctorPage },
  {
    path: "/services",
    load: async () => (await import("../site/services/ServicesPage")).ServicesPage,
  },
  specialty(
    "/services/muelas-del-juicio",
    () => import("../content/pages/service-muelas-del-juicio.json"),
  ),
  specialty("/services/periodoncia", () => import("../content/pages/service-periodoncia.json")),
  specialty("/services/endodoncia", () => import("../content/pages/service-endodoncia.json")),
  specialty("/services/ortodoncia", () => import("../content/pages/service-ortodoncia.json")),
  specialty(
    "/services/implantes-dentales",
    () => import("../content/pages/service-implantes-dentales.json"),
  ),
  specialty(
    "/services/rehabilitacion-oral",
    () => import("../content/pages/service-rehabilitacion-oral.json"),
  ),
  specialty(
    "/services/diseno-sonrisa",
    () => import("../content/pages/service-diseno-sonrisa.json"),
  ),
  {
    path: "/services/:slug",
    load: async () => (await import("../site/services/ServicePage")).ServicePage,
    record: serviceRecord,
  },
  { path: "/contact", load: async () => (await import("../site/contact/ContactPage")).ContactPage },
  {
    path: "/privacidad",
    load: async () => (await import("../site/privacy/PrivacyPage")).PrivacyPage,
  },
  { path: "/blog", load: async () => (await import("../site/blog/BlogPage")).BlogPage },
  {
    path: "/blog/:slug",
    load: async () => (await import("../site/blog/ArticlePage")).ArticlePage,
    record: (slug) => `/api/blog/slug/${slug}`,
  },
];

/** The staff's pages, which the browser draws. */
export const staffRoutes = [
  "/login",
  "/dashboard",
  "/dashboard/cuenta",
  "/dashboard/cuentas",
  "/dashboard/actividad",
  "/dashboard/respuestas",
  "/dashboard/respuestas/nueva",
] as const satisfies readonly MetaRoute[];

const notFound: PublicRoute = {
  path: "*",
  load: async () => (await import("../site/NotFoundPage")).NotFoundPage,
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
