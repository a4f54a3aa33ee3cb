import { referenceOf } from "../../api/problem";
import { dashboardTexts } from "../../content/dashboard";
import { ErrorAlert } from "../../ui/ErrorAlert";
import type { useConversations } from "../shared/conversations";

interface ListFailureProps {
  readonly list: ReturnType<typeof useConversations>;
}

/** Says what of the list could not be loaded. */
export function ListFailure({ list }: ListFailureProps) {
  if (!list.isError) return null;
  return (
    <div className="px-5 py-3 sm:px-6">
      <ErrorAlert
        message={dashboardTexts.conversationsFailure}
        onRetry={list.refetch}
        reference={referenceOf(list.error)}
      />
    </div>
  );
}
