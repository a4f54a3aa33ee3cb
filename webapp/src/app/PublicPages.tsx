import { lazy, useContext, useEffect } from "react";
import { useLocation } from "wouter";
import { ContentContext, textsCall, useOutcome } from "../api/content";
import { SiteFrame } from "../site/frame/SiteFrame";
import { refuseBooking } from "../ui/booking";
import { Deferred } from "./Deferred";
import type { LoadedPage } from "./pages";
import { canonicalPath, matchRoute } from "./routes";
import { usePageTurn } from "./usePageTurn";

const ChatWidget = lazy(() =>
  import("../chat/ChatWidget").then(
    ({ ChatWidget }) => ({ default: ChatWidget }),
    () => {
      // The page is complete without the chat.
      refuseBooking();
      return { default: () => null };
    },
  ),
);

/** The public site: one page at a time in the frame that they share, and the chat. */
export function PublicPages({ first }: { readonly first: LoadedPage | undefined }) {
  const [location] = useLocation();
  const path = canonicalPath(location);
  const { shown, turn } = usePageTurn(path, first);
  useHead(path);
  return (
    <>
      {shown && (
        <>
          <SiteFrame path={path} turn={turn}>
            <shown.Page key={shown.path} slug={shown.slug} />
          </SiteFrame>
          <Deferred>
            <ChatWidget />
          </Deferred>
        </>
      )}
    </>
  );
}

/** Whether the document's head is still the one that came with the page from the server. */
let headIsFirst = true;

function leaveFirstHead(): void {
  headIsFirst = false;
}

/** Keeps the document's head up to date with the page, its texts and the record that it is about. */
function useHead(path: string): void {
  const cache = useContext(ContentContext);
  const { route, slug } = matchRoute(path);
  const call = route.record?.(slug);
  const record = useOutcome(call ?? "").status;
  const missing = useOutcome(textsCall("not-found")).status;
  const texts = useOutcome(textsCall(route.texts)).status;
  const { data: rendered } = useOutcome("path");
  useEffect(() => {
    const known = call === undefined || record === "answered";
    // A visitor who asks for a record that there is not is taken elsewhere, or told so.
    if (known ? texts !== "answered" : !route.known || missing !== "answered") return;
    if (headIsFirst && path === rendered) return leaveFirstHead;
    headIsFirst = false;
    let stale = false;
    import("./writeHead").then(({ writeHead }) => {
      if (!stale) writeHead(path, (asked) => cache.outcome(asked).data);
    });
    return () => {
      stale = true;
    };
  }, [path, route, call, record, missing, texts, rendered, cache]);
}
