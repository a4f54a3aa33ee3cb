import texts from "./pages/meta.json";

/** How a page is named and described to search engines. */
export interface Meta {
  readonly title: string;
  readonly description: string;
}

const byRoute: Readonly<Record<string, Meta>> = texts;

/** The texts of a route, `*` for a path that names no page. */
export function metaTexts(route: string): Meta {
  return byRoute[route] ?? texts["*"];
}
