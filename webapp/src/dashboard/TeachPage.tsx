import { useSearch } from "wouter";
import { useHistoryState } from "wouter/use-browser-location";
import { teachingTexts } from "../content/dashboardTeaching";
import { usePageTitle } from "../ui/usePageTitle";
import { AccountFrame } from "./AccountFrame";
import { Teaching } from "./answers/Teaching";

interface TeachPageProps {
  /** Whether whoever looks manages accounts. */
  readonly manages: boolean;
  readonly onLogout: () => void;
}

/** Where an answer is written, tried and published. */
export default function TeachPage({ manages, onLogout }: TeachPageProps) {
  usePageTitle(teachingTexts.teach);
  const address = new URLSearchParams(useSearch());
  const told = useHistoryState<{ questions?: readonly string[] } | null>();
  return (
    <AccountFrame
      answers
      manages={manages}
      onLogout={onLogout}
      subtitle={teachingTexts.subtitle}
      title={teachingTexts.teach}
    >
      <Teaching
        questions={told?.questions ?? []}
        slug={address.get("respuesta") ?? undefined}
        topic={address.get("tema") ?? ""}
      />
    </AccountFrame>
  );
}
