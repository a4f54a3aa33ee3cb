import { contactTexts } from "../../content/dashboardContacts";
import { topicName } from "../../content/dashboardFilters";
import { useServices } from "./queries";

const texts = contactTexts.appointment;

interface SpecialtySelectProps {
  readonly id: string;
  readonly className: string;
  /** A service's slug, or empty for none. */
  readonly selected: string;
  readonly onSelect: (slug: string) => void;
}

/** The clinic's services, and the selected one where it is none of them. */
export function SpecialtySelect({ selected, onSelect, ...control }: SpecialtySelectProps) {
  const services = useServices();
  const options = new Map(services.data?.map(({ slug, title }) => [slug, title]));
  if (selected && !options.has(selected)) options.set(selected, topicName(selected));
  return (
    <select {...control} onChange={({ target }) => onSelect(target.value)} value={selected}>
      <option value="">{texts.anySpecialty}</option>
      {Array.from(options, ([slug, title]) => (
        <option key={slug} value={slug}>
          {title}
        </option>
      ))}
    </select>
  );
}
