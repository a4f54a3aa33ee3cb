import "../ui/styles.css";
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { adoptClinic, type ClinicAnswer } from "../content/clinic";
import { App } from "./App";
import { isPublic, type LoadedPage, loadPage } from "./pages";
import { createQueryClient } from "./queryClient";
import { canonicalPath } from "./routes";

/** Takes over the answers with which the server rendered the page, and gives that page's path. */
function takeOver(client: QueryClient): unknown {
  const text = document.getElementById("page-data")?.textContent;
  if (!text) return undefined;
  const answers: Record<string, unknown> = JSON.parse(text);
  for (const [call, answer] of Object.entries(answers)) client.setQueryData([call], answer);
  if ("/api/clinic" in answers) adoptClinic(answers["/api/clinic"] as ClinicAnswer);
  return answers.path;
}

async function start(root: HTMLElement): Promise<void> {
  const client = createQueryClient();
  const rendered = takeOver(client);
  const path = window.location.pathname;
  const first: LoadedPage | undefined = isPublic(path) ? await loadPage(path) : undefined;
  const app = (
    <StrictMode>
      <QueryClientProvider client={client}>
        <App first={first} />
      </QueryClientProvider>
    </StrictMode>
  );
  // The server answers a missing record with the not-found page; the browser decides anew.
  if (root.firstElementChild && rendered === canonicalPath(path)) hydrateRoot(root, app);
  else createRoot(root).render(app);
}

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");
start(root);
