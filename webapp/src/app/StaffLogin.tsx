import { Redirect } from "wouter";
import { useHistoryState } from "wouter/use-browser-location";
import { LoginPage } from "../auth/LoginPage";
import { returnAddress } from "../auth/returning";
import { useCurrentUser } from "../auth/session";
import { StaffQueryProvider } from "./StaffQueryProvider";

/** The login; whoever is signed in goes on to the dashboard, or back to where they were. */
export default function StaffLogin() {
  return (
    <StaffQueryProvider>
      <Login />
    </StaffQueryProvider>
  );
}

function Login() {
  const { user } = useCurrentUser();
  const state: unknown = useHistoryState();
  return user ? <Redirect replace to={returnAddress(state)} /> : <LoginPage />;
}
