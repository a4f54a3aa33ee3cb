import { filterTexts, topicName } from "../../content/dashboardFilters";
import { formatCount } from "../../content/numbers";
import type { Cohort } from "../shared/queries";
import { Select } from "../shared/Select";
import { useTopics } from "./queries";

const texts = filterTexts;

interface TopicSelectProps {
  /** All conversations of the period. */
  readonly all: Cohort;
  readonly selected: string | undefined;
  readonly onSelect: (topic: string | undefined) => void;
}

/** The topics of the period, and how many conversations each has. */
export function TopicSelect({ all, selected, onSelect }: TopicSelectProps) {
  const { data } = useTopics(all);
  const topics = data?.topics ?? [];
  const missing = selected !== undefined && !topics.some(({ topic }) => topic === selected);
  return (
    <Select
      aria-label={texts.topicLabel}
      className="max-w-52"
      onSelect={(topic) => onSelect(topic || undefined)}
      options={[
        ["", texts.anyTopic],
        ...(missing ? [[selected, topicName(selected)] as const] : []),
        ...topics.map(
          ({ topic, conversations }) =>
            [topic, `${topicName(topic)} (${formatCount(conversations)})`] as const,
        ),
      ]}
      value={selected ?? ""}
    />
  );
}
