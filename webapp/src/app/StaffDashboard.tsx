import "../dashboard/dashboard.css";
import { Redirect, useLocation, useSearch } from "wouter";
import type { Schemas } from "../api/client";
import { returnTo } from "../auth/returning";
import { useCurrentUser, useLogout } from "../auth/session";
import { dashboardTexts } from "../content/dashboard";
import { DashboardPage } from "../dashboard/DashboardPage";
import type { FrameProps } from "../dashboard/frame/Frame";
import { RightsContext } from "../dashboard/shared/rights";
import { lazyPart } from "../ui/Boundary";
import { PageSpinner } from "../ui/Spinner";
import { canonicalPath } from "./routes";
import { StaffQueryProvider } from "./StaffQueryProvider";

const AccountPage = lazyPart(() => import("../dashboard/AccountPage"));
const AgendaPage = lazyPart(() => import("../dashboard/AgendaPage"));
const AuditPage = lazyPart(() => import("../dashboard/AuditPage"));
const AnswersPage = lazyPart(() => import("../dashboard/AnswersPage"));
const InboxPage = lazyPart(() => import("../dashboard/InboxPage"));
const TodayPage = lazyPart(() => import("../dashboard/TodayPage"));
const TeachPage = lazyPart(() => import("../dashboard/TeachPage"));
const AccountsPage = lazyPart(() => import("../dashboard/AccountsPage"));

/** The dashboard, for staff only; others come back to it once they are signed in. */
export default function StaffDashboard() {
  return (
    <StaffQueryProvider>
      <Dashboard />
    </StaffQueryProvider>
  );
}

function Dashboard() {
  const { user, loading, recheck } = useCurrentUser();
  const search = useSearch();
  const [location] = useLocation();
  const logout = useLogout();
  if (loading) return <PageSpinner label={dashboardTexts.checkingSession} />;
  const path = canonicalPath(location);
  if (!user) return <Redirect replace state={returnTo(path, search)} to="/login" />;
  if (user.secondFactor === "due" && path !== "/dashboard/cuenta") {
    return <Redirect replace to="/dashboard/cuenta" />;
  }
  return (
    <RightsContext value={user.rights}>
      <Page frame={{ onLogout: logout }} path={path} recheck={recheck} user={user} />
    </RightsContext>
  );
}

interface PageProps {
  readonly frame: FrameProps;
  readonly path: string;
  readonly user: Schemas["User"];
  readonly recheck: () => void;
}

/** The right without which a page leads to the numbers. */
const needed: { readonly [path: string]: Schemas["Right"] } = {
  "/dashboard/cuentas": "accounts",
  "/dashboard/actividad": "accounts",
  "/dashboard/bandeja": "people",
  "/dashboard/respuestas": "people",
  "/dashboard/respuestas/nueva": "people",
};

function Page({ frame, path, user, recheck }: PageProps) {
  const right = needed[path];
  if (right && !user.rights.includes(right)) return <Redirect replace to="/dashboard" />;
  switch (path) {
    case "/dashboard/cuenta":
      return <AccountPage {...frame} onSecondFactor={recheck} user={user} />;
    case "/dashboard/agenda":
      return <AgendaPage {...frame} />;
    case "/dashboard/cuentas":
      return <AccountsPage {...frame} onOwnRole={recheck} ownID={user.id} />;
    case "/dashboard/actividad":
      return <AuditPage {...frame} />;
    case "/dashboard/hoy":
      return <TodayPage {...frame} />;
    case "/dashboard/bandeja":
      return <InboxPage {...frame} />;
    case "/dashboard/respuestas":
      return <AnswersPage {...frame} />;
    case "/dashboard/respuestas/nueva":
      return <TeachPage {...frame} />;
  }
  return <DashboardPage {...frame} />;
}
