import { filterTexts, topicName } from "../../content/dashboardFilters";
import { formatCount } from "../../content/numbers";
import type { Cohort } from "../shared/queries";
import { useReport } from "../shared/reports";
import { Select } from "../shared/Select";

const texts = filterTexts;

interface TopicSelectProps {
  /** All conversations of the period. */
  readonly all: Cohort;
  readonly selected: string | undefined;
  readonly onSelect: (topic: string | undefined) => void;
}

/** The topics of the period, and how many conversations each has. */
export function TopicSelect({ all, selected, onSelect }: TopicSelectProps) {
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
