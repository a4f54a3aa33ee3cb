import type { Schemas } from "../api/client";
import { accountTexts } from "../content/account";
import { PasswordCard } from "./account/PasswordCard";
import { useSecondFactor } from "./account/queries";
import { SecondFactorCard } from "./account/SecondFactorCard";
import { SessionsCard } from "./account/SessionsCard";
import { Frame, type FrameProps } from "./frame/Frame";

interface AccountPageProps extends FrameProps {
  readonly user: Schemas["User"];
  /** Is told when one's own second factor was set up or removed. */
  readonly onOwnChange: () => void;
}

/** The account of whoever is signed in. */
export default function AccountPage(props: AccountPageProps) {
  const { user, onOwnChange, onLogout } = props;
  const codes = useSecondFactor();
  const due = user.secondFactor === "due";
  return (
    <Frame
      alone={due}
      onLogout={onLogout}
      subtitle={`${user.email} · ${accountTexts.roles[user.role].name}`}
      title={accountTexts.title}
    >
      {!due && <PasswordCard email={user.email} />}
      <SecondFactorCard due={due} email={user.email} onChange={onOwnChange} />
      {/* Its place is known with the codes above it. */}
      {!due && (
        <div className={codes.isPending ? "invisible" : ""}>
          <SessionsCard />
        </div>
      )}
    </Frame>
  );
}
