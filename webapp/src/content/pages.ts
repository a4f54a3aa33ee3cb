/**
 * The texts of the public pages. They are content: the server sends them with each page, in the
 * clinic's own words. What they look like is taken from the project's own files, of which
 * nothing but the types is compiled in.
 */
import type about from "../../../domain/clinic/content/pages/about.json";
import type blog from "../../../domain/clinic/content/pages/blog.json";
import type contact from "../../../domain/clinic/content/pages/contact.json";
import type doctor from "../../../domain/clinic/content/pages/doctor.json";
import type home from "../../../domain/clinic/content/pages/home.json";
import type notFound from "../../../domain/clinic/content/pages/not-found.json";
import type privacy from "../../../domain/clinic/content/pages/privacy.json";
import type services from "../../../domain/clinic/content/pages/services.json";
import type site from "../../../domain/clinic/content/pages/site.json";
import type { ChatTexts } from "./chat";

/** A page of the site that a menu leads to. */
export interface PageLink {
  readonly label: string;
  readonly path: string;
  /** Stands below the label. */
  readonly text?: string;
  readonly badge?: string;
  readonly highlighted?: boolean;
  /** Opens the menu of services. */
  readonly menu?: boolean;
}

interface Column {
  readonly heading: string;
  readonly links: readonly PageLink[];
}

type Site = typeof site;

/** What surrounds every page, with the links that there are. */
interface SiteTexts extends Omit<Site, "header" | "footer"> {
  readonly header: Omit<Site["header"], "nav" | "menu"> & {
    readonly nav: readonly PageLink[];
    readonly menu: Omit<Site["header"]["menu"], "columns"> & {
      readonly columns: readonly Column[];
    };
  };
  readonly footer: Omit<Site["footer"], "quickLinks" | "services"> & {
    readonly quickLinks: Column;
    readonly services: Column;
  };
}

/** The texts of each page, by the name of its file. */
export interface PageTexts {
  readonly about: typeof about;
  readonly blog: typeof blog;
  readonly chat: ChatTexts;
  readonly contact: typeof contact;
  readonly doctor: typeof doctor;
  readonly home: typeof home;
  readonly "not-found": typeof notFound;
  readonly privacy: typeof privacy;
  readonly services: typeof services;
  readonly site: SiteTexts;
}

/** What a page says about itself to search engines. */
export interface Meta {
  readonly title: string;
  readonly description: string;
}
