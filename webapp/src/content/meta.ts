import texts from "./pages/meta.json";

/** How a page is named and described to search engines. */
interface Meta {
  readonly title: string;
  readonly description: string;
}

/** The pages that are named: no other route can be written down. */
export type MetaRoute = keyof typeof texts;

/** The texts of a route, `*` for a path that names no page. */
export function metaTexts(route: MetaRoute): Meta {
  return texts[route];
}
