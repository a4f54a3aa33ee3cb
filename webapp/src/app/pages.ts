import { canonicalPath, matchRoute, type Page, staffRoutes } from "./routes";

/** A page whose code is there. */
export interface LoadedPage {
  /** As the site spells it. */
  readonly path: string;
  readonly slug: string;
  readonly Page: Page;
}

/** Fetches the code of the page at a path. */
export async function loadPage(path: string): Promise<LoadedPage> {
  const { route, slug } = matchRoute(path);
  return { path: canonicalPath(path), slug, Page: await route.load() };
}

/** Whether a path is one of the public site's, and no page for staff. */
export function isPublic(path: string): boolean {
  return !staffRoutes.some((route) => route === canonicalPath(path));
}
