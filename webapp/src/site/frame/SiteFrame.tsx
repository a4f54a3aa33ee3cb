import type { ReactNode } from "react";
import { interfaceTexts } from "../../content/interface";
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
      <a
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-lg bg-white px-4 py-2 font-semibold text-teal-700 shadow-float focus-visible:translate-y-0"
        href="#contenido"
      >
        {interfaceTexts.skipToContent}
      </a>
      <header className="contents">
        <TopBar />
        <MainBar key={path} path={path} />
      </header>
      <main className="page-turn flex-1" data-turn={turn} id="contenido" tabIndex={-1}>
        {children}
      </main>
      <Footer />
    </div>
  );
}
