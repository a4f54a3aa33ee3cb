import { StrictMode, startTransition } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { ContentCache, ContentContext } from "../api/content";
import { send } from "../api/send";
import { type ClinicAnswer, setClinic } from "../content/clinic";
import { App } from "./App";
import { isPublic, type LoadedPage, loadPage } from "./pages";
import { canonicalPath } from "./routes";

const clinicCall = "/api/clinic";

/** The answers with which the server rendered the page, and that page's path. */
async function readPageData(): Promise<Readonly<Record<string, unknown>>> {
  const text = document.getElementById("page-data")?.textContent;
  const answers: Record<string, unknown> = text ? JSON.parse(text) : {};
  // Only the build's own page, as Vite serves it, comes without the clinic's facts.
  const facts = answers[clinicCall] ?? (await (await send(clinicCall)).json());
  setClinic(facts as ClinicAnswer);
  return answers;
}

async function start(root: HTMLElement): Promise<void> {
  const answers = await readPageData();
  const path = window.location.pathname;
  const cache = new ContentCache(answers);
  const first: LoadedPage | undefined = isPublic(path) ? await loadPage(path, cache) : undefined;
  const app = (
    <StrictMode>
      <ContentContext value={cache}>
        <App first={first} />
      </ContentContext>
    </StrictMode>
  );
  // The server answers a missing record with the not-found page; the browser decides anew.
  const rendered = root.firstElementChild && answers.path === canonicalPath(path);
  // Nobody waits for the takeover: it lets whatever the visitor does go first.
  if (rendered) startTransition(() => void hydrateRoot(root, app));
  else createRoot(root).render(app);
  document.querySelector(".late")?.remove();
}

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");
start(root);
