import type { Ref } from "react";
import { filterTexts, flagNames, flags } from "../../content/dashboardFilters";
import { Button } from "../../ui/Button";
import type { Cohort } from "../shared/queries";
import { SearchField } from "../shared/SearchField";
import { Select } from "../shared/Select";
import { Switch } from "../shared/Switch";
import {
  durationOf,
  durations,
  type Filters,
  hasFilters,
  withAttention,
  withDuration,
  withFilter,
  withRated,
} from "../shared/state/filters";
import { Chips } from "./Chips";
import { TopicSelect } from "./TopicSelect";

const texts = filterTexts;

/** The filters that are a switch; the others have a field of their own or come from a number. */
const switches = ["lead", "appointment", "unanswered", "outOfHours"] as const;

const attentions = [
  ["", texts.anyFlag],
  ["any", texts.anyFlagged],
  ...flags.map((flag) => [flag, flagNames[flag]] as const),
] as const;

const lengths = [
  ["", texts.anyDuration],
  ...durations.map((name) => [name, texts.durations[name]] as const),
] as const;

interface FilterBarProps {
  readonly filters: Filters;
  readonly everywhere: boolean;
  /** All conversations of the period, whose topics are offered. */
  readonly all: Cohort;
  readonly onFilter: (filters: Filters) => void;
  readonly onEverywhere: (everywhere: boolean) => void;
  readonly search?: Ref<HTMLInputElement>;
}

/** Narrows the list down, and says to what it is narrowed down. */
export function FilterBar(props: FilterBarProps) {
  const { filters, everywhere, all, onFilter, onEverywhere, search } = props;
  return (
    <search className="no-print block space-y-2.5 px-5 pb-4 sm:px-6">
      <div className="flex flex-wrap items-center gap-2">
        <SearchField
          field={search}
          onSearch={(q) => onFilter(withFilter(filters, "q", q))}
          hint={texts.searchHint}
          label={texts.search}
          placeholder={texts.searchPlaceholder}
          value={filters.q ?? ""}
        />
        {switches.map((name) => (
          <Switch
            key={name}
            label={texts[name].true}
            on={filters[name] === true}
            onToggle={() => onFilter(withFilter(filters, name, filters[name] ? undefined : true))}
          />
        ))}
        <Switch
          label={texts.rated("negative")}
          on={filters.rated === "negative"}
          onToggle={() => onFilter(withRated(filters, filters.rated ? undefined : "negative"))}
        />
        <Select
          aria-label={texts.flagLabel}
          className="max-w-52"
          onSelect={(asked) => onFilter(withAttention(filters, asked || undefined))}
          options={attentions}
          value={filters.flag ?? (filters.flagged ? "any" : "")}
        />
        <TopicSelect
          all={all}
          onSelect={(topic) => onFilter(withFilter(filters, "topic", topic))}
          selected={filters.topic}
        />
        <Select
          aria-label={texts.durationLabel}
          className="max-w-52"
          onSelect={(name) => onFilter(withDuration(filters, name || undefined))}
          options={lengths}
          value={durationOf(filters) ?? ""}
        />
      </div>
      {hasFilters(filters) && (
        <div className="flex flex-wrap items-center gap-2">
          <Chips filters={filters} onFilter={onFilter} />
          <Button variant="quiet" onClick={() => onFilter({})} size="small">
            {texts.clear}
          </Button>
          <label className="flex min-h-9 items-center gap-2 text-ink-700 text-sm">
            <input
              checked={everywhere}
              className="size-4 accent-teal-700"
              onChange={({ target }) => onEverywhere(target.checked)}
              type="checkbox"
            />
            {texts.everywhere}
          </label>
        </div>
      )}
    </search>
  );
}
