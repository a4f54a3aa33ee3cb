import { contactTexts } from "../../content/dashboardContacts";
import { formatCount } from "../../content/numbers";
import { useMay } from "../shared/rights";
import { SearchField } from "../shared/SearchField";
import { Select } from "../shared/Select";
import { Switch } from "../shared/Switch";
import type { Dashboard } from "../shared/state/useDashboard";
import { useContactCounts } from "./counts";
import { statuses } from "./statuses";

const texts = contactTexts;
const kinds = [
  ["", texts.kinds.all],
  ["lead", texts.kinds.lead],
  ["message", texts.kinds.message],
] as const;

interface ContactFilterBarProps {
  readonly dashboard: Dashboard;
  readonly q: string | undefined;
  readonly onSearch: (q: string | undefined) => void;
  /** Whether a text is looked for in contacts of any time. */
  readonly allTime: boolean;
  readonly onAllTime: (allTime: boolean) => void;
  /** Only who asked something about their own data, with what is open or all of it. */
  readonly requests: "open" | "all" | undefined;
  readonly onRequests: (requests: "open" | "all" | undefined) => void;
}

/** Narrows the contacts down. */
export function ContactFilterBar(props: ContactFilterBarProps) {
  const { dashboard, q, onSearch, allTime, onAllTime, requests, onRequests } = props;
  const { view, cohort, setView } = dashboard;
  const counts = useContactCounts(cohort, view.contactKind).data;
  const mayAnswer = useMay("privacy");
  const numbered = (label: string, count: number | undefined) =>
    count === undefined ? label : `${label} (${formatCount(count)})`;
  const asked = mayAnswer && (
    <Switch
      label={numbered(texts.requests.only, counts?.openRequests)}
      on={requests !== undefined}
      onToggle={() => onRequests(requests ? undefined : "open")}
    />
  );
  if (requests) {
    return (
      <search className="no-print flex flex-wrap items-center gap-2 px-5 pb-4 sm:px-6">
        {asked}
        <Switch
          label={texts.requests.done}
          on={requests === "all"}
          onToggle={() => onRequests(requests === "all" ? "open" : "all")}
        />
      </search>
    );
  }
  return (
    <search className="no-print flex flex-wrap items-center gap-2 px-5 pb-4 sm:px-6">
      <SearchField
        hint={texts.searchHint}
        label={texts.searchLabel}
        onSearch={onSearch}
        placeholder={texts.searchPlaceholder}
        value={q ?? ""}
      />
      {q && <Switch label={texts.allTime} on={allTime} onToggle={() => onAllTime(!allTime)} />}
      <fieldset aria-label={texts.statusLabel} className="contents">
        {statuses.map((status) => (
          <Switch
            key={status}
            label={numbered(texts.statuses[status], counts?.[status])}
            on={view.contactStatus === status}
            onToggle={() =>
              setView({ contactStatus: view.contactStatus === status ? undefined : status })
            }
          />
        ))}
      </fieldset>
      <Select
        aria-label={texts.kindLabel}
        onSelect={(kind) => setView({ contactKind: kind || undefined })}
        options={kinds}
        value={view.contactKind ?? ""}
      />
      {asked}
    </search>
  );
}
