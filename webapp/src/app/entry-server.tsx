import { QueryClientProvider } from "@tanstack/react-query";
import { renderToString } from "react-dom/server";
import { Router } from "wouter";
import { clinic } from "../content/clinic";
import { homeTexts } from "../content/home";
import { notFoundTexts } from "../content/notFound";
import { App } from "./App";
import { createQueryClient } from "./queryClient";

/** A page as the server sends it. */
export interface RenderedPage {
  /** What stands in #root. */
  readonly html: string;
  /** Title, description, OpenGraph and JSON-LD; the server adds the canonical address. */
  readonly head: string;
  /** 200 or 404. */
  readonly status: number;
}

/**
 * Renders a page for the Go program, which runs this bundle without a browser: no window,
 * no Intl, no URL. `path` is in lower case, with `?enviado=1` after a contact form was sent
 * without JavaScript. `data` holds what the page shows, by the path of the call that would
 * fetch it, `data["/api/blog"]`, always with `/api/clinic`; the posts of a list come
 * without their content. `data.origin` is the site's own address without a slash at the
 * end. The browser finds the same data in `<script type="application/json" id="page-data">`.
 */
export function render(path: string, data: Record<string, unknown>): RenderedPage {
  const client = createQueryClient();
  for (const [call, answer] of Object.entries(data)) client.setQueryData([call], answer);
  const html = renderToString(
    <QueryClientProvider client={client}>
      <Router ssrPath={path}>
        <App />
      </Router>
    </QueryClientProvider>,
  );
  return { html, ...head(path, data) };
}

/** The head alone, for a page that could not be rendered. */
export function head(path: string, _data: Record<string, unknown>): Omit<RenderedPage, "html"> {
  const known = path === "/";
  const title = known ? `${clinic.name} | ${clinic.address.city}` : notFoundTexts.pageTitle;
  const description = known
    ? `<meta name="description" content="${escaped(homeTexts.description)}">`
    : "";
  return { head: `<title>${escaped(title)}</title>${description}`, status: known ? 200 : 404 };
}

function escaped(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");
}
