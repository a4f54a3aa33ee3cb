import type { Schemas } from "../api/client";
import { accountTexts } from "../content/account";
import { usePageTitle } from "../ui/usePageTitle";
import { AccountFrame } from "./AccountFrame";
import { PasswordCard } from "./account/PasswordCard";
import { SecondFactorCard } from "./account/SecondFactorCard";
import { SessionsCard } from "./account/SessionsCard";

interface AccountPageProps {
  readonly user: Schemas["User"];
  /** Is told when one's own second factor was set up or removed. */
  readonly onSecondFactor: () => void;
  readonly onLogout: () => void;
}

/** The account of whoever is signed in. */
export default function AccountPage({ user, onSecondFactor, onLogout }: AccountPageProps) {
  usePageTitle(accountTexts.title);
  const due = user.secondFactor === "due";
  return (
    <AccountFrame
      alone={due}
      manages={user.role === "owner" && !due}
      onLogout={onLogout}
      subtitle={`${user.email} · ${accountTexts.roles[user.role].name}`}
      title={accountTexts.title}
    >
      {!due && <PasswordCard email={user.email} />}
      <SecondFactorCard due={due} email={user.email} onChange={onSecondFactor} />
      {!due && <SessionsCard />}
    </AccountFrame>
  );
}
