import { Redirect, useSearch } from "wouter";
import { returnTo } from "../auth/returning";
import { useCurrentUser, useLogout } from "../auth/session";
import { dashboardTexts } from "../content/dashboard";
import { DashboardPage } from "../dashboard/DashboardPage";
import { PeopleContext } from "../dashboard/shared/people";
import { PageSpinner } from "../ui/Spinner";
import { StaffQueryProvider } from "./StaffQueryProvider";

/** The dashboard, for staff only; others come back to it once they are signed in. */
export default function StaffDashboard() {
  return (
    <StaffQueryProvider>
      <Dashboard />
    </StaffQueryProvider>
  );
}

function Dashboard() {
  const { user, loading } = useCurrentUser();
  const search = useSearch();
  const logout = useLogout();
  if (loading) return <PageSpinner label={dashboardTexts.checkingSession} />;
  if (!user) return <Redirect replace state={returnTo(search)} to="/login" />;
  return (
    <PeopleContext value={user.role !== "reader"}>
      <DashboardPage onLogout={logout} />
    </PeopleContext>
  );
}
