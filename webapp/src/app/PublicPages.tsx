import { lazy, useEffect } from "react";
import { useLocation } from "wouter";
import { useOutcome } from "../api/content";
import { SiteFrame } from "../site/frame/SiteFrame";
import { Deferred } from "./Deferred";
import type { LoadedPage } from "./pages";
import { canonicalPath, matchRoute } from "./routes";
import { usePageTurn } from "./usePageTurn";

const ChatWidget = lazy(() =>
  import("../chat/ChatWidget").then(({ ChatWidget }) => ({ default: ChatWidget })),
);

/** The public site: one page at a time in the frame that they share, and the chat. */
export function PublicPages({ first }: { readonly first: LoadedPage | undefined }) {
  const [location] = useLocation();
  const path = canonicalPath(location);
  const { shown, turn } = usePageTurn(path, first);
  useHead(path);
  return (
    <>
      <SiteFrame path={path} turn={turn}>
        {shown && <shown.Page key={shown.path} slug={shown.slug} />}
      </SiteFrame>
      <Deferred>
        <ChatWidget />
      </Deferred>
    </>
  );
}

/** Whether the document's head is still the one that came with the page from the server. */
let headIsFirst = true;

function leaveFirstHead(): void {
  headIsFirst = false;
}

/** Keeps the document's head up to date with the page and with the record that it is about. */
function useHead(path: string): void {
  const { route, slug } = matchRoute(path);
  const { data: record } = useOutcome(route.record?.(slug) ?? "");
  const { data: rendered } = useOutcome("path");
  useEffect(() => {
    const waits = route.path.endsWith("/:slug") && record === undefined;
    if (waits) return;
    if (headIsFirst && path === rendered) return leaveFirstHead;
    headIsFirst = false;
    let stale = false;
    import("./writeHead").then(({ writeHead }) => {
      if (!stale) writeHead(path, record);
    });
    return () => {
      stale = true;
    };
  }, [path, route, record, rendered]);
}
