import { auditTexts } from "../content/account";
import { AccountFrame, type FrameProps } from "./AccountFrame";
import { AuditCard } from "./account/AuditCard";

/** What everybody did, for owners. */
export default function AuditPage(frame: FrameProps) {
  return (
    <AccountFrame {...frame} subtitle={auditTexts.subtitle} title={auditTexts.title}>
      <AuditCard />
    </AccountFrame>
  );
}
