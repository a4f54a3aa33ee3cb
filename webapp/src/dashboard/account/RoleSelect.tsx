import { accountTexts } from "../../content/account";
import { Select } from "../shared/Select";
import type { Role } from "./queries";

const roles = Object.keys(accountTexts.roles) as Role[];

interface RoleSelectProps {
  readonly label: string;
  readonly selected: Role;
  readonly onSelect: (role: Role) => void;
}

/** What an account may do. */
export function RoleSelect({ label, selected, onSelect }: RoleSelectProps) {
  return (
    <Select
      aria-label={label}
      onSelect={onSelect}
      options={roles.map((role) => [role, accountTexts.roles[role].name])}
      value={selected}
    />
  );
}
