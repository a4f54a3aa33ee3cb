import { accountsTexts } from "../../content/account";
import { Card } from "../../ui/Card";
import { QueryState } from "../shared/QueryState";
import { AccountRow } from "./AccountRow";
import { useAccounts } from "./queries";

const texts = accountsTexts;

interface AccountsCardProps {
  /** The account of whoever looks. */
  readonly ownID: string;
  readonly onOwnRole: () => void;
}

/** All accounts of the clinic. */
export function AccountsCard({ ownID, onOwnRole }: AccountsCardProps) {
  const query = useAccounts();
  return (
    <Card className="p-5 sm:p-6">
      <h2 className="font-semibold text-ink-900 text-lg">{texts.list}</h2>
      <QueryState query={query} texts={texts} />
      <ul className="mt-1 divide-y divide-sand-200">
        {query.data?.map((account) => (
          <AccountRow
            account={account}
            // With another role the row begins anew: what was chosen is what it is.
            key={`${account.id} ${account.role}`}
            onOwnRole={onOwnRole}
            own={account.id === ownID}
          />
        ))}
      </ul>
    </Card>
  );
}
