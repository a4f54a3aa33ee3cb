import { renderToString } from "react-dom/server";
import { Router } from "wouter";
import { ContentCache, ContentContext } from "../api/content";
import { type ClinicAnswer, setClinic } from "../content/clinic";
import { App } from "./App";
import { type Head, type HeadElement, headElements, headOf } from "./head";
import { jsonLd } from "./jsonLd";
import { loadPage } from "./pages";
import { routes as publicRoutes } from "./routes";

/** A page as the server sends it. */
interface RenderedPage {
  /** What stands in #root. */
  readonly html: string;
  /** Title, description, OpenGraph, canonical address and JSON-LD. */
  readonly head: string;
  /** 200 or 404. */
  readonly status: number;
}

/** The pages that are always there, whatever the data: what the server knows not to be a 404. */
export const routes: readonly string[] = publicRoutes
  .map(({ path }) => path)
  .filter((path) => !path.includes(":"));

/**
 * Renders a page for the Go program, which runs this bundle without a browser: no window,
 * no Intl, no URL. `path` is in lower case, with `?enviado=1` after a contact form was sent
 * without JavaScript. `data` holds what the page shows, by the path of the call that would
 * fetch it, `data["/api/blog"]`, always with `/api/clinic`; the posts of a list come
 * without their content. `data.origin` is the site's own address without a slash at the
 * end, and `data.path` the path that was rendered: another one than the visitor's is the
 * not-found page, which must not be hydrated. The browser finds the same data in `<script type="application/json" id="page-data">`.
 */
export async function render(path: string, data: Record<string, unknown>): Promise<RenderedPage> {
  const about = head(path, data);
  const [pathname = "/", search = ""] = path.split("?");
  const cache = new ContentCache(data);
  const first = await loadPage(pathname, cache);
  const html = renderToString(
    <ContentContext value={cache}>
      <Router ssrPath={pathname} ssrSearch={search}>
        <App first={first} />
      </Router>
    </ContentContext>,
  );
  return { html, ...about };
}

/** The head alone, for a page that could not be rendered. */
export function head(path: string, data: Record<string, unknown>): Omit<RenderedPage, "html"> {
  const clinic = data["/api/clinic"];
  if (clinic) setClinic(clinic as ClinicAnswer);
  const origin = typeof data.origin === "string" ? data.origin : "";
  const [pathname = "/"] = path.split("?");
  const about: Head = headOf(pathname, (call) => data[call]);
  const structured = about.indexed ? jsonLd(about, data, origin) : [];
  return {
    head: [
      ...headElements(about, origin).map(element),
      ...structured.map((item) => `<script type="application/ld+json">${json(item)}</script>`),
    ].join(""),
    status: about.status,
  };
}

function element({ tag, attributes, text }: HeadElement): string {
  const named = Object.entries(attributes).map(([name, value]) => ` ${name}="${escaped(value)}"`);
  const opened = `<${tag}${named.join("")}>`;
  return text === undefined ? opened : `${opened}${escaped(text)}</${tag}>`;
}

function escaped(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");
}

/** JSON that cannot end the script that it stands in. */
function json(value: unknown): string {
  return JSON.stringify(value).replace(/</g, "\\u003c");
}
