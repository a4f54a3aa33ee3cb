import { Redirect } from "wouter";
import { useHistoryState } from "wouter/use-browser-location";
import { LoginPage } from "../auth/LoginPage";
import { returnAddress } from "../auth/returning";
import { useCurrentUser } from "../auth/session";
import { StaffQueries } from "./StaffQueries";

/** The login; whoever is signed in goes on to the dashboard, or back to where they were. */
export default function StaffLogin() {
  return (
    <StaffQueries>
      <Login />
    </StaffQueries>
  );
}

function Login() {
  const { user } = useCurrentUser();
  const state: unknown = useHistoryState();
  return user ? <Redirect replace to={returnAddress(state)} /> : <LoginPage />;
}
