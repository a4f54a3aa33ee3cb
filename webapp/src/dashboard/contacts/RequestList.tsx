import { referenceOf } from "../../api/problem";
import { contactTexts } from "../../content/dashboardContacts";
import { ErrorAlert } from "../../ui/ErrorAlert";
import { PersonIcon } from "../../ui/icons";
import { EmptyState } from "../shared/EmptyState";
import { ContactItem } from "./ContactItem";
import { ContactPlaceholders } from "./ContactPlaceholders";
import { useRequests } from "./requests";

const texts = contactTexts.requests;

interface RequestListProps {
  readonly done: boolean;
  readonly onConversation: (id: string) => void;
}

/** The people who asked something about their own data. */
export function RequestList({ done, onConversation }: RequestListProps) {
  const { data, isError, isPending, error, refetch } = useRequests(done, true);
  if (isError) {
    return (
      <div className="px-5 pb-5 sm:px-6">
        <ErrorAlert
          message={texts.failure}
          onRetry={() => refetch()}
          reference={referenceOf(error)}
        />
      </div>
    );
  }
  if (isPending) return <ContactPlaceholders />;
  if (data.length === 0) {
    return <EmptyState hint={texts.emptyHint} icon={PersonIcon} title={texts.empty} />;
  }
  return (
    <ul className="divide-y divide-sand-200 border-sand-200 border-y">
      {data.map((contact) => (
        <ContactItem
          contact={contact}
          key={`${contact.kind}/${contact.id}`}
          onConversation={onConversation}
        />
      ))}
    </ul>
  );
}
