import { auditTexts } from "../../content/account";
import { Choice } from "../shared/Choice";
import { Field } from "../shared/Field";
import { type AuditFilters, useAccounts } from "./queries";

const texts = auditTexts;

interface AuditFilterBarProps {
  readonly filters: AuditFilters;
  readonly onFilter: (filters: AuditFilters) => void;
}

/** Of whom, what and when. */
export function AuditFilterBar({ filters, onFilter }: AuditFilterBarProps) {
  const accounts = useAccounts().data ?? [];
  const set = (some: Partial<AuditFilters>) => onFilter({ ...filters, ...some });
  return (
    <fieldset className="mt-4 grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
      <legend className="sr-only">{texts.filters}</legend>
      <Choice
        label={texts.account}
        onSelect={(account) => set({ account })}
        options={[
          ["", texts.everybody],
          ...accounts.map(({ id, email }) => [id, email] as const),
          ["operator", texts.operator],
          ["program", texts.program],
          ["nobody", texts.nobody],
        ]}
        value={filters.account}
      />
      <Choice
        label={texts.what}
        onSelect={(what) => set({ what })}
        options={[["", texts.everything], ...Object.entries(texts.names)]}
        value={filters.what}
      />
      <Field
        label={texts.since}
        onText={(startDate) => set({ startDate })}
        type="date"
        value={filters.startDate}
      />
      <Field
        label={texts.until}
        onText={(endDate) => set({ endDate })}
        type="date"
        value={filters.endDate}
      />
    </fieldset>
  );
}
