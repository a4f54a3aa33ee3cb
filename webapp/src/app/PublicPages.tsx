import { useQueryClient } from "@tanstack/react-query";
import { lazy, useCallback, useEffect, useSyncExternalStore } from "react";
import { useLocation } from "wouter";
import { SiteFrame } from "../site/frame/SiteFrame";
import { Later } from "./Later";
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
      <Later>
        <ChatWidget />
      </Later>
    </>
  );
}

/** Keeps the document's head up to date with the page and with the record that it is about. */
function useHead(path: string): void {
  const queries = useQueryClient();
  const { route, slug } = matchRoute(path);
  const call = route.record?.(slug);
  const subscribe = useCallback(
    (changed: () => void) => queries.getQueryCache().subscribe(changed),
    [queries],
  );
  const look = () => (call === undefined ? undefined : queries.getQueryData([call]));
  const record = useSyncExternalStore(subscribe, look, look);
  useEffect(() => {
    const waits = route.path.endsWith("/:slug") && record === undefined;
    if (waits) return;
    let stale = false;
    // The first page came with its head, so that this can wait.
    import("./writeHead").then(({ writeHead }) => {
      if (!stale) writeHead(path, record);
    });
    return () => {
      stale = true;
    };
  }, [path, route, record]);
}
