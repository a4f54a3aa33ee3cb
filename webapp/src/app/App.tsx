import { lazy, Suspense, useState } from "react";
import { Route, Switch, useLocation } from "wouter";
import { PageSpinner } from "../ui/Spinner";
import { Deferred } from "./Deferred";
import { PublicPages } from "./PublicPages";
import type { LoadedPage } from "./pages";
import { canonicalPath, staffRoutes } from "./routes";

const StaffLogin = lazy(() => import("./StaffLogin"));
const StaffDashboard = lazy(() => import("./StaffDashboard"));
const Toaster = lazy(() => import("../ui/Toaster").then(({ Toaster }) => ({ default: Toaster })));

/** The pages that show toasts. */
const pagesWithToasts: readonly string[] = ["/contact", ...staffRoutes];

/** The dashboard and the pages of accounts, for which somebody has to be signed in. */
const staffPages = new RegExp(
  `^(?:${staffRoutes.filter((path) => path !== "/login").join("|")})/?$`,
  "i",
);

/** Whether a page that shows toasts was here; from then on there is a place for them. */
function useToasterNeeded(): boolean {
  const [location] = useLocation();
  const [needed, setNeeded] = useState(false);
  if (!needed && pagesWithToasts.includes(canonicalPath(location))) setNeeded(true);
  return needed;
}

/** Every page and what surrounds them; `first` is the public page that it begins with. */
export function App({ first }: { readonly first?: LoadedPage | undefined }) {
  return (
    <>
      <Suspense fallback={<PageSpinner />}>
        <Switch>
          <Route component={StaffLogin} path="/login" />
          <Route component={StaffDashboard} path={staffPages} />
          <Route>
            <PublicPages first={first} />
          </Route>
        </Switch>
      </Suspense>
      {useToasterNeeded() && (
        <Deferred>
          <Toaster />
        </Deferred>
      )}
    </>
  );
}
