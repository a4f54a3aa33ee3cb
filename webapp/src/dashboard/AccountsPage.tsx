import type { Schemas } from "../api/client";
import { accountsTexts } from "../content/account";
import { AccountsCard } from "./account/AccountsCard";
import { NewAccountCard } from "./account/NewAccountCard";
import { useAccounts } from "./account/queries";
import { Frame, type FrameProps } from "./frame/Frame";

interface AccountsPageProps extends FrameProps {
  readonly user: Schemas["User"];
  /** Is told when whoever looks changed what they may do themselves. */
  readonly onOwnChange: () => void;
}

/** Who can sign in, for owners. */
export default function AccountsPage({ user, onOwnChange, onLogout }: AccountsPageProps) {
  const accounts = useAccounts();
  return (
    <Frame onLogout={onLogout} subtitle={accountsTexts.subtitle} title={accountsTexts.title}>
      <AccountsCard onOwnRole={onOwnChange} ownID={user.id} />
      {/* Its place is known with the accounts above it. */}
      <div className={accounts.isPending ? "invisible" : ""}>
        <NewAccountCard />
      </div>
    </Frame>
  );
}
