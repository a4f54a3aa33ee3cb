import { useEffect, useState } from "react";
import type { Schemas } from "../api/client";
import { useTexts } from "../api/content";
import { send } from "../api/send";
import { clinic } from "../content/clinic";
import { instantInWords } from "../content/hours";
import { Skeleton } from "../ui/Skeleton";
import { Fact } from "./Fact";

/**
 * When an appointment of a service is free next, where the chat books. The page is painted before it is
 * asked for, since it is another at any time.
 */
export function NextFree({ slug }: { readonly slug: string }) {
  const { next, none } = useTexts("site").agenda;
  const [found, setFound] = useState<Schemas["NextFree"]>();
  useEffect(() => {
    if (clinic.links.booking) return;
    const left = new AbortController();
    const look = async () => {
      const response = await send(`/api/agenda/${slug}`, { signal: left.signal });
      setFound(await response.json());
    };
    // Without an answer the chat is asked, as where nothing is free.
    look().catch(() => left.signal.aborted || setFound({}));
    return () => left.abort();
  }, [slug]);
  if (clinic.links.booking) return null;
  return (
    <Fact className="noscript:hidden" name={next}>
      <div className="min-h-7 min-w-44 first-letter:uppercase" role="status">
        {found?.at && instantInWords(new Date(found.at), new Date())}
        {found && !found.at && none}
        {!found && <Skeleton className="mt-1.5 h-4 w-36" />}
      </div>
    </Fact>
  );
}
