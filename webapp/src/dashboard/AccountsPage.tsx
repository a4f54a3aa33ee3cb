import { accountsTexts } from "../content/account";
import { AccountFrame, type FrameProps } from "./AccountFrame";
import { AccountsCard } from "./account/AccountsCard";
import { NewAccountCard } from "./account/NewAccountCard";

interface AccountsPageProps extends FrameProps {
  readonly ownID: string;
  /** Is told when whoever looks changed what they may do themselves. */
  readonly onOwnRole: () => void;
}

/** Who can sign in, for owners. */
export default function AccountsPage({ ownID, onOwnRole, ...frame }: AccountsPageProps) {
  return (
    <AccountFrame {...frame} subtitle={accountsTexts.subtitle} title={accountsTexts.title}>
      <AccountsCard onOwnRole={onOwnRole} ownID={ownID} />
      <NewAccountCard />
    </AccountFrame>
  );
}
