import { auditTexts } from "../content/account";
import { AuditCard } from "./account/AuditCard";
import { Frame, type FrameProps } from "./frame/Frame";

/** What everybody did, for owners. */
export default function AuditPage(frame: FrameProps) {
  return (
    <Frame {...frame} subtitle={auditTexts.subtitle} title={auditTexts.title}>
      <AuditCard />
    </Frame>
  );
}
