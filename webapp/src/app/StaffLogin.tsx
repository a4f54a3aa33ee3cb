import { Redirect } from "wouter";
import { LoginPage } from "../auth/LoginPage";
import { useCurrentUser } from "../auth/session";
import { StaffQueries } from "./StaffQueries";

/** The login; whoever is signed in goes on to the dashboard. */
export default function StaffLogin() {
  return (
    <StaffQueries>
      <Login />
    </StaffQueries>
  );
}

function Login() {
  const { user } = useCurrentUser();
  return user ? <Redirect replace to="/dashboard" /> : <LoginPage />;
}
