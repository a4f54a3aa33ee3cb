import { labelTexts as texts } from "../../content/dashboardLabels";
import { Select } from "../shared/Select";
import { Switch } from "../shared/Switch";
import type { LabelFilters } from "./queries";

/** The bounds of confidence to choose from; the first is the server's own. */
const bounds = [0.7, 0.45, 0.6, 0.85, 0] as const;
const states = ["open", "labelled", undefined] as const;

interface LabelFilterBarProps {
  readonly filters: LabelFilters;
  readonly onFilter: (filters: LabelFilters) => void;
}

/** Which questions are listed. */
export function LabelFilterBar({ filters, onFilter }: LabelFilterBarProps) {
  return (
    <search className="no-print flex flex-wrap items-center gap-2 px-5 pb-4 sm:px-6">
      <fieldset aria-label={texts.state} className="contents">
        {states.map((state) => (
          <Switch
            key={state ?? "all"}
            label={texts.states[state ?? "all"]}
            on={filters.state === state}
            onToggle={() => onFilter({ ...filters, state })}
          />
        ))}
      </fieldset>
      <Select
        aria-label={texts.below}
        onChange={({ target }) => onFilter({ ...filters, below: Number(target.value) })}
        value={filters.below ?? bounds[0]}
      >
        {[...bounds]
          .sort((a, b) => b - a)
          .map((bound) => (
            <option key={bound} value={bound}>
              {bound === 0 ? texts.belowNone : texts.belowOf(bound)}
            </option>
          ))}
      </Select>
    </search>
  );
}
