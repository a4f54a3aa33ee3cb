import { lazy, Suspense, useEffect, useState } from "react";
import { Route, Switch } from "wouter";
import { HomePage } from "../site/HomePage";
import { NotFoundPage } from "../site/NotFoundPage";
import { SiteFrame } from "../site/SiteFrame";
import { PageSpinner } from "../ui/Spinner";
import { Toaster } from "../ui/Toaster";

const StaffLogin = lazy(() => import("./StaffLogin"));
const StaffDashboard = lazy(() => import("./StaffDashboard"));
const ChatWidget = lazy(() =>
  import("../chat/ChatWidget").then(({ ChatWidget }) => ({ default: ChatWidget })),
);

/** Every page and what surrounds them. */
export function App() {
  return (
    <>
      <Suspense fallback={<PageSpinner />}>
        <Switch>
          <Route component={StaffLogin} path="/login" />
          <Route component={StaffDashboard} path="/dashboard" />
          <Route>
            <PublicPages />
          </Route>
        </Switch>
      </Suspense>
      <Toaster />
    </>
  );
}

function PublicPages() {
  return (
    <SiteFrame>
      <Switch>
        <Route component={HomePage} path="/" />
        <Route component={NotFoundPage} />
      </Switch>
      <Chat />
    </SiteFrame>
  );
}

/** The chat comes after the page: its code is fetched once the first paint is done. */
function Chat() {
  const [wanted, setWanted] = useState(false);
  useEffect(() => setWanted(true), []);
  return wanted ? (
    <Suspense>
      <ChatWidget />
    </Suspense>
  ) : null;
}
