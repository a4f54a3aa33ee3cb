import { lazy, Suspense } from "react";
import { Route, Switch } from "wouter";
import { PageSpinner } from "../ui/Spinner";
import { Later } from "./Later";
import { PublicPages } from "./PublicPages";
import type { LoadedPage } from "./pages";

const StaffLogin = lazy(() => import("./StaffLogin"));
const StaffDashboard = lazy(() => import("./StaffDashboard"));
const Toaster = lazy(() => import("../ui/Toaster").then(({ Toaster }) => ({ default: Toaster })));

/** Every page and what surrounds them; `first` is the public page that it begins with. */
export function App({ first }: { readonly first?: LoadedPage | undefined }) {
  return (
    <>
      <Suspense fallback={<PageSpinner />}>
        <Switch>
          <Route component={StaffLogin} path="/login" />
          <Route component={StaffDashboard} path="/dashboard" />
          <Route>
            <PublicPages first={first} />
          </Route>
        </Switch>
      </Suspense>
      <Later>
        <Toaster />
      </Later>
    </>
  );
}
