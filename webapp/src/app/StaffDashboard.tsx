import { Redirect } from "wouter";
import { useCurrentUser, useLogout } from "../auth/session";
import { dashboardTexts } from "../content/dashboard";
import { DashboardPage } from "../dashboard/DashboardPage";
import { PageSpinner } from "../ui/Spinner";
import { StaffQueries } from "./StaffQueries";

/** The dashboard, for staff only. */
export default function StaffDashboard() {
  return (
    <StaffQueries>
      <Dashboard />
    </StaffQueries>
  );
}

function Dashboard() {
  const { user, loading } = useCurrentUser();
  const logout = useLogout();
  if (loading) return <PageSpinner label={dashboardTexts.checkingSession} />;
  if (!user) return <Redirect replace to="/login" />;
  return <DashboardPage onLogout={() => logout.mutate()} />;
}
