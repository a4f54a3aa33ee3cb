import type { ComponentType } from "react";
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

interface PageProps extends FrameProps {
  readonly user: Schemas["User"];
  /** Is told when whoever looks changed how they sign in, or what they may do. */
  readonly onOwnChange: () => void;
}

/** The pages beside the numbers, and the right without which each leads to those. */
const pages: {
  readonly [path: string]: { readonly Page: ComponentType<PageProps>; needs?: Schemas["Right"] };
} = {
  "/dashboard/hoy": { Page: lazyPart(() => import("../dashboard/TodayPage")) },
  "/dashboard/agenda": { Page: lazyPart(() => import("../dashboard/AgendaPage")) },
  "/dashboard/cuenta": { Page: lazyPart(() => import("../dashboard/AccountPage")) },
  "/dashboard/bandeja": { Page: lazyPart(() => import("../dashboard/InboxPage")), needs: "people" },
  "/dashboard/respuestas": {
    Page: lazyPart(() => import("../dashboard/AnswersPage")),
    needs: "people",
  },
  "/dashboard/respuestas/nueva": {
    Page: lazyPart(() => import("../dashboard/TeachPage")),
    needs: "people",
  },
  "/dashboard/actividad": {
    Page: lazyPart(() => import("../dashboard/AuditPage")),
    needs: "accounts",
  },
  "/dashboard/cuentas": {
    Page: lazyPart(() => import("../dashboard/AccountsPage")),
    needs: "accounts",
  },
};

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
  const { Page = DashboardPage, needs } = pages[path] ?? {};
  if (needs && !user.rights.includes(needs)) return <Redirect replace to="/dashboard" />;
  return (
    <RightsContext value={user.rights}>
      <Page onLogout={logout} onOwnChange={recheck} user={user} />
    </RightsContext>
  );
}
