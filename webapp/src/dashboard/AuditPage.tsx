import { auditTexts } from "../content/account";
import { usePageTitle } from "../ui/usePageTitle";
import { AccountFrame } from "./AccountFrame";
import { AuditCard } from "./account/AuditCard";

/** What everybody did, for owners. */
export default function AuditPage({ onLogout }: { readonly onLogout: () => void }) {
  usePageTitle(auditTexts.title);
  return (
    <AccountFrame
      manages
      onLogout={onLogout}
      subtitle={auditTexts.subtitle}
      title={auditTexts.title}
    >
      <AuditCard />
    </AccountFrame>
  );
}
