import { type ContentCache, textsCall } from "../api/content";
import { type ChatTexts, setChatTexts } from "../content/chat";
import type { PageTexts } from "../content/pages";
import { canonicalPath, matchRoute, notFound, type Page, staffRoutes } from "./routes";

/** A page whose code and texts are there. */
export interface LoadedPage {
  /** As the site spells it. */
  readonly path: string;
  readonly slug: string;
  readonly Page: Page;
}

/** The texts that every page needs: of what surrounds it, and of the chat. */
const around = ["site", "chat"] as const satisfies readonly (keyof PageTexts)[];

/** Fetches the code and the texts of the page at a path. */
export async function loadPage(path: string, cache: ContentCache): Promise<LoadedPage> {
  const { route, slug } = matchRoute(path);
  const record = route.known?.(slug);
  if (record) await cache.load(record);
  const answer = record && cache.outcome(record).status;
  if (answer === "failed") throw new Error(`${record} failed`);
  const page = answer === "missing" ? notFound : route;
  const [{ default: Page }] = await Promise.all([
    page.load(),
    ...[...around, page.texts].map((name) => loadTexts(name, cache)),
  ]);
  setChatTexts(cache.outcome(textsCall("chat")).data as ChatTexts);
  return { path: canonicalPath(path), slug, Page };
}

async function loadTexts(name: keyof PageTexts, cache: ContentCache): Promise<void> {
  const call = textsCall(name);
  await cache.load(call);
  if (cache.outcome(call).status !== "answered") throw new Error(`${call} failed`);
}

/** Whether a path is one of the public site's, and no page for staff. */
export function isPublic(path: string): boolean {
  return !staffRoutes.some((route) => route === canonicalPath(path));
}
