import { answersTexts } from "../content/dashboardAnswers";
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
  usePageTitle(answersTexts.title);
  return (
    <AccountFrame
      manages={manages}
      onLogout={onLogout}
      subtitle={answersTexts.subtitle}
      title={answersTexts.title}
    >
      <TaughtAnswers />
    </AccountFrame>
  );
}
