import { topicName } from "../../content/dashboardFilters";
import { teachingTexts } from "../../content/dashboardTeaching";
import { LinkButton } from "../../ui/Button";

interface TeachLinkProps {
  readonly topic: string;
  readonly questions: readonly string[];
}

/** Leads to where an answer to some questions is taught; what was asked stands in no address. */
export function TeachLink({ topic, questions }: TeachLinkProps) {
  return (
    <LinkButton
      className="no-print"
      href={`/dashboard/respuestas/nueva?tema=${encodeURIComponent(topic)}`}
      label={teachingTexts.teachAbout(topicName(topic))}
      size="small"
      state={{ questions }}
      variant="secondary"
    >
      {teachingTexts.teach}
    </LinkButton>
  );
}
