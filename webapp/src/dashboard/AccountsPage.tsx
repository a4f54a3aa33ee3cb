import { accountsTexts } from "../content/account";
import { usePageTitle } from "../ui/usePageTitle";
import { AccountFrame } from "./AccountFrame";
import { AccountsCard } from "./account/AccountsCard";
import { NewAccountCard } from "./account/NewAccountCard";

interface AccountsPageProps {
  readonly ownID: string;
  /** Is told when whoever looks changed what they may do themselves. */
  readonly onOwnRole: () => void;
  readonly onLogout: () => void;
}

/** Who can sign in, for owners. */
export default function AccountsPage({ ownID, onOwnRole, onLogout }: AccountsPageProps) {
  usePageTitle(accountsTexts.title);
  return (
    <AccountFrame
      manages
      onLogout={onLogout}
      subtitle={accountsTexts.subtitle}
      title={accountsTexts.title}
    >
      <AccountsCard onOwnRole={onOwnRole} ownID={ownID} />
      <NewAccountCard />
    </AccountFrame>
  );
}
