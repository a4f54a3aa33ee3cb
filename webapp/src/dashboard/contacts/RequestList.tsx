import { contactTexts } from "../../content/dashboardContacts";
import { EmptyState } from "../shared/EmptyState";
import { PersonIcon } from "../shared/icons";
import { QueryFailure } from "../shared/QueryState";
import { ContactItem } from "./ContactItem";
import { ContactPlaceholders } from "./ContactPlaceholders";
import { conversationsOf } from "./queries";
import { useRequests } from "./requests";

const texts = contactTexts.requests;

interface RequestListProps {
  readonly done: boolean;
  readonly onConversation: (id: string, listed: readonly string[]) => void;
}

/** The people who asked something about their own data. */
export function RequestList({ done, onConversation }: RequestListProps) {
  const query = useRequests(done, true);
  const { data, isError, isPending } = query;
  if (isError) {
    return <QueryFailure className="px-5 pb-5 sm:px-6" message={texts.failure} query={query} />;
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
          onConversation={(id) => onConversation(id, conversationsOf(data))}
        />
      ))}
    </ul>
  );
}
