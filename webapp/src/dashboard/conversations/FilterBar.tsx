import { type Ref, useEffect, useState } from "react";
import { filterTexts, flagNames, flags, topicName } from "../../content/dashboardFilters";
import { formatCount } from "../../content/numbers";
import { Button } from "../../ui/Button";
import { classes } from "../../ui/classes";
import { CloseIcon } from "../../ui/icons";
import { type Filters, filterNames, hasFilters, withFilter } from "../shared/address";
import {
  type Attention,
  type DurationName,
  durationOf,
  durations,
  filterLabel,
  withAttention,
  withDuration,
  without,
  withRated,
} from "../shared/filters";
import { SearchIcon } from "../shared/icons";
import type { Scope } from "../shared/queries";
import { useReport } from "../shared/queries";
import { Select } from "../shared/Select";

const texts = filterTexts;

/** The filters that are a switch; the others have a field of their own or come from a number. */
const switches = ["lead", "appointment", "unanswered", "outOfHours"] as const;

interface FilterBarProps {
  readonly filters: Filters;
  readonly everywhere: boolean;
  /** All conversations of the period, whose topics are offered. */
  readonly all: Scope;
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
          onChange={({ target }) =>
            onFilter(withAttention(filters, (target.value || undefined) as Attention | undefined))
          }
          value={filters.flag ?? (filters.flagged ? "any" : "")}
        >
          <option value="">{texts.anyFlag}</option>
          <option value="any">{texts.anyFlagged}</option>
          {flags.map((flag) => (
            <option key={flag} value={flag}>
              {flagNames[flag]}
            </option>
          ))}
        </Select>
        <TopicSelect
          all={all}
          onSelect={(topic) => onFilter(withFilter(filters, "topic", topic))}
          selected={filters.topic}
        />
        <Select
          aria-label={texts.durationLabel}
          className="max-w-52"
          onChange={({ target }) =>
            onFilter(withDuration(filters, (target.value || undefined) as DurationName | undefined))
          }
          value={durationOf(filters) ?? ""}
        >
          <option value="">{texts.anyDuration}</option>
          {durations.map((name) => (
            <option key={name} value={name}>
              {texts.durations[name]}
            </option>
          ))}
        </Select>
      </div>
      {hasFilters(filters) && (
        <div className="flex flex-wrap items-center gap-2">
          <Chips filters={filters} onFilter={onFilter} />
          <Button look="quiet" onClick={() => onFilter({})} size="small">
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

/** How long typing must rest until it is searched for, in milliseconds. */
const rest = 400;

interface SearchFieldProps {
  readonly value: string;
  readonly onSearch: (text: string | undefined) => void;
  readonly field?: Ref<HTMLInputElement> | undefined;
  readonly words?: { readonly label: string; readonly placeholder: string; readonly hint: string };
}

const searchWords = {
  label: texts.search,
  placeholder: texts.searchPlaceholder,
  hint: texts.searchHint,
};

export function SearchField({ value, onSearch, field, words = searchWords }: SearchFieldProps) {
  const [typed, setTyped] = useState<string>();
  useEffect(() => {
    if (typed === undefined) return;
    const timer = setTimeout(() => {
      setTyped(undefined);
      if (typed.trim() !== value) onSearch(typed.trim() || undefined);
    }, rest);
    return () => clearTimeout(timer);
  });
  return (
    <div className="relative w-full sm:w-48">
      <SearchIcon className="pointer-events-none absolute top-2.5 left-2.5 size-4 text-ink-500" />
      <input
        aria-label={words.label}
        className="min-h-9 w-full rounded-lg border border-sand-300 bg-white pr-2 pl-8 text-ink-900 text-sm placeholder:text-ink-500"
        maxLength={200}
        onChange={({ target }) => setTyped(target.value)}
        placeholder={words.placeholder}
        ref={field}
        title={words.hint}
        type="search"
        value={typed ?? value}
      />
    </div>
  );
}

interface SwitchProps {
  readonly label: string;
  readonly on: boolean;
  readonly onToggle: () => void;
}

export function Switch({ label, on, onToggle }: SwitchProps) {
  return (
    <button
      aria-pressed={on}
      className={classes(
        "min-h-9 whitespace-nowrap rounded-full border px-3.5 font-medium text-sm transition-colors",
        on
          ? "border-teal-700 bg-teal-700 text-white"
          : "border-sand-300 bg-white text-ink-700 hover:border-teal-400",
      )}
      onClick={onToggle}
      type="button"
    >
      {label}
    </button>
  );
}

interface TopicSelectProps {
  readonly all: Scope;
  readonly selected: string | undefined;
  readonly onSelect: (topic: string | undefined) => void;
}

function TopicSelect({ all, selected, onSelect }: TopicSelectProps) {
  const { data } = useReport("topics", all);
  const topics = data?.topics ?? [];
  const missing = selected !== undefined && !topics.some(({ topic }) => topic === selected);
  return (
    <Select
      aria-label={texts.topicLabel}
      className="max-w-52"
      onChange={({ target }) => onSelect(target.value || undefined)}
      value={selected ?? ""}
    >
      <option value="">{texts.anyTopic}</option>
      {missing && <option value={selected}>{topicName(selected)}</option>}
      {topics.map(({ topic, conversations }) => (
        <option key={topic} value={topic}>
          {topicName(topic)} ({formatCount(conversations)})
        </option>
      ))}
    </Select>
  );
}

interface ChipsProps {
  readonly filters: Filters;
  readonly onFilter: (filters: Filters) => void;
}

/** Every filter in words, each with its own way out. */
export function Chips({ filters, onFilter }: ChipsProps) {
  return (
    <ul aria-label={texts.active} className="contents">
      {filterNames.map((name) => {
        const label = filterLabel(filters, name);
        return (
          label && (
            <li
              className="inline-flex items-center gap-0.5 rounded-full bg-teal-100 pl-3 text-sm text-teal-800"
              key={name}
            >
              <span className="max-w-60 truncate">{label}</span>
              <button
                aria-label={texts.remove(label)}
                className="grid size-7 place-items-center rounded-full hover:bg-teal-200"
                onClick={() => onFilter(without(filters, name))}
                type="button"
              >
                <CloseIcon className="size-3.5" />
              </button>
            </li>
          )
        );
      })}
    </ul>
  );
}
