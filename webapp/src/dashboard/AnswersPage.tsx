import { teachingTexts } from "../content/dashboardTeaching";
import { usePageTitle } from "../ui/usePageTitle";
import { AccountFrame } from "./AccountFrame";
import { TaughtAnswers } from "./answers/TaughtAnswers";

interface AnswersPageProps {
  /** Whether whoever looks manages accounts. */
  readonly manages: boolean;
  readonly onLogout: () => void;
}

/** What the staff taught the assistant. */
export default function AnswersPage({ manages, onLogout }: AnswersPageProps) {
  usePageTitle(teachingTexts.title);
  return (
    <AccountFrame
      manages={manages}
      onLogout={onLogout}
      subtitle={teachingTexts.subtitle}
      title={teachingTexts.title}
    >
      <TaughtAnswers />
    </AccountFrame>
  );
}
