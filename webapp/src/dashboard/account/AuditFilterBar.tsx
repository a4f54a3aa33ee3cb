import { useId } from "react";
import { auditTexts } from "../../content/account";
import { Field } from "../shared/Field";
import { Select } from "../shared/Select";
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
        choices={[
          ["", texts.everybody],
          ...accounts.map(({ id, email }) => [id, email] as const),
          ["operator", texts.operator],
          ["program", texts.program],
          ["nobody", texts.nobody],
        ]}
        label={texts.account}
        onChoose={(account) => set({ account })}
        value={filters.account}
      />
      <Choice
        choices={[["", texts.everything], ...Object.entries(texts.names)]}
        label={texts.what}
        onChoose={(what) => set({ what })}
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

interface ChoiceProps {
  readonly label: string;
  readonly choices: readonly (readonly [value: string, name: string])[];
  readonly value: string;
  readonly onChoose: (value: string) => void;
}

function Choice({ label, choices, value, onChoose }: ChoiceProps) {
  const id = useId();
  return (
    <div className="min-w-0">
      <label className="block font-medium text-ink-700 text-sm" htmlFor={id}>
        {label}
      </label>
      <Select
        className="mt-1 w-full [&>select]:min-h-11 [&>svg]:top-3.5"
        id={id}
        onSelect={onChoose}
        options={choices}
        value={value}
      />
    </div>
  );
}
