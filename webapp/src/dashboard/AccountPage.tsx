import type { Schemas } from "../api/client";
import { accountTexts } from "../content/account";
import { usePageTitle } from "../ui/usePageTitle";
import { AccountFrame } from "./AccountFrame";
import { PasswordCard } from "./account/PasswordCard";
import { SessionsCard } from "./account/SessionsCard";

interface AccountPageProps {
  readonly user: Schemas["User"];
  readonly onLogout: () => void;
}

/** The account of whoever is signed in. */
export default function AccountPage({ user, onLogout }: AccountPageProps) {
  usePageTitle(accountTexts.title);
  return (
    <AccountFrame
      manages={user.role === "owner"}
      onLogout={onLogout}
      subtitle={`${user.email} · ${accountTexts.roles[user.role].name}`}
      title={accountTexts.title}
    >
      <PasswordCard email={user.email} />
      <SessionsCard />
    </AccountFrame>
  );
}
