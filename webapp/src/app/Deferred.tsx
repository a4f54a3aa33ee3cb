import { type ReactNode, Suspense, useEffect, useState } from "react";

/** What no page has to wait for: its code is fetched once the page is there. */
export function Deferred({ children }: { readonly children: ReactNode }) {
  const [wanted, setWanted] = useState(false);
  useEffect(() => setWanted(true), []);
  return wanted ? <Suspense>{children}</Suspense> : null;
}
