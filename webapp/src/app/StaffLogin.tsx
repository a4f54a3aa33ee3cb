import { Redirect } from "wouter";
import { LoginPage } from "../auth/LoginPage";
import { useCurrentUser } from "../auth/session";

/** The login; whoever is signed in goes on to the dashboard. */
export default function StaffLogin() {
  const { user } = useCurrentUser();
  return user ? <Redirect replace to="/dashboard" /> : <LoginPage />;
}
