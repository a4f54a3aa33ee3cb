import { Suspense, useState } from "react";
import { useLocation } from "wouter";
import { Boundary, lazyPart, PageBoundary } from "../ui/Boundary";
import { PageSpinner } from "../ui/Spinner";
import { Deferred } from "./Deferred";
import { PublicPages } from "./PublicPages";
import { isPublic, type LoadedPage } from "./pages";
import { canonicalPath } from "./routes";

const StaffLogin = lazyPart(() => import("./StaffLogin"));
const StaffDashboard = lazyPart(() => import("./StaffDashboard"));
const Toaster = lazyPart(() =>
  import("../ui/Toaster").then(({ Toaster }) => ({ default: Toaster })),
);

/** Whether a page that shows toasts was here; from then on there is a place for them. */
function useToasterNeeded(path: string): boolean {
  const [needed, setNeeded] = useState(false);
  if (!needed && (path === "/contact" || !isPublic(path))) setNeeded(true);
  return needed;
}

/** Every page and what surrounds them; `first` is the public page that it begins with. */
export function App({ first }: { readonly first?: LoadedPage | undefined }) {
  const path = canonicalPath(useLocation()[0]);
  return (
    <>
      <Suspense fallback={<PageSpinner />}>
        {isPublic(path) ? (
          <PublicPages first={first} />
        ) : (
          <PageBoundary key={path}>
            {path === "/login" ? <StaffLogin /> : <StaffDashboard />}
          </PageBoundary>
        )}
      </Suspense>
      {useToasterNeeded(path) && (
        <Boundary fallback={null}>
          <Deferred>
            <Toaster />
          </Deferred>
        </Boundary>
      )}
    </>
  );
}
