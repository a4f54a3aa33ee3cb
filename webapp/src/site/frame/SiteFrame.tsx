import type { ReactNode } from "react";
import { SkipLink } from "../../ui/SkipLink";
import { ContactBar } from "./ContactBar";
import { Footer } from "./Footer";
import { MainBar } from "./MainBar";
import { TopBar } from "./TopBar";

/** What a page is doing: nothing, leaving, or just entering. */
export type Turn = "still" | "leaving" | "entering";

interface SiteFrameProps {
  /** The page's path, lower case. */
  readonly path: string;
  readonly turn: Turn;
  readonly children: ReactNode;
}

/** What surrounds every public page. The page is in the main landmark. */
export function SiteFrame({ path, turn, children }: SiteFrameProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <header className="contents">
        <TopBar />
        <MainBar key={path} path={path} />
      </header>
      <main className="page-turn flex-1" data-turn={turn} id="contenido" tabIndex={-1}>
        {children}
      </main>
      <Footer />
      <ContactBar />
    </div>
  );
}
