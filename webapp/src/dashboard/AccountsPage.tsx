import { accountsTexts } from "../content/account";
import { AccountsCard } from "./account/AccountsCard";
import { NewAccountCard } from "./account/NewAccountCard";
import { Frame, type FrameProps } from "./frame/Frame";

interface AccountsPageProps extends FrameProps {
  readonly ownID: string;
  /** Is told when whoever looks changed what they may do themselves. */
  readonly onOwnRole: () => void;
}

/** Who can sign in, for owners. */
export default function AccountsPage({ ownID, onOwnRole, ...frame }: AccountsPageProps) {
  return (
    <Frame {...frame} subtitle={accountsTexts.subtitle} title={accountsTexts.title}>
      <AccountsCard onOwnRole={onOwnRole} ownID={ownID} />
      <NewAccountCard />
    </Frame>
  );
}
