import { Suspense, useState } from "react";
import { Route, Switch, useLocation } from "wouter";
import { Boundary, lazyPart, PageBoundary } from "../ui/Boundary";
import { PageSpinner } from "../ui/Spinner";
import { Deferred } from "./Deferred";
import { PublicPages } from "./PublicPages";
import type { LoadedPage } from "./pages";
import { canonicalPath, staffRoutes } from "./routes";

const StaffLogin = lazyPart(() => import("./StaffLogin"));
const StaffDashboard = lazyPart(() => import("./StaffDashboard"));
const Toaster = lazyPart(() =>
  import("../ui/Toaster").then(({ Toaster }) => ({ default: Toaster })),
);

/** The pages that show toasts. */
const pagesWithToasts: readonly string[] = ["/contact", ...staffRoutes];

/** The dashboard and the pages of accounts, for which somebody has to be signed in. */
const staffPages = new RegExp(
  `^(?:${staffRoutes.filter((path) => path !== "/login").join("|")})/?$`,
  "i",
);

/** Whether a page that shows toasts was here; from then on there is a place for them. */
function useToasterNeeded(path: string): boolean {
  const [needed, setNeeded] = useState(false);
  if (!needed && pagesWithToasts.includes(path)) setNeeded(true);
  return needed;
}

/** Every page and what surrounds them; `first` is the public page that it begins with. */
export function App({ first }: { readonly first?: LoadedPage | undefined }) {
  const path = canonicalPath(useLocation()[0]);
  return (
    <>
      <Suspense fallback={<PageSpinner />}>
        <Switch>
          <Route path="/login">
            <PageBoundary>
              <StaffLogin />
            </PageBoundary>
          </Route>
          <Route path={staffPages}>
            <PageBoundary key={path}>
              <StaffDashboard />
            </PageBoundary>
          </Route>
          <Route>
            <PublicPages first={first} />
          </Route>
        </Switch>
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
