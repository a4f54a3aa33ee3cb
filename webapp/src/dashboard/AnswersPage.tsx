import { teachingTexts } from "../content/dashboardTeaching";
import { AccountFrame, type FrameProps } from "./AccountFrame";
import { TaughtAnswers } from "./answers/TaughtAnswers";

/** What the staff taught the assistant. */
export default function AnswersPage(frame: FrameProps) {
  return (
    <AccountFrame {...frame} subtitle={teachingTexts.subtitle} title={teachingTexts.title}>
      <TaughtAnswers />
    </AccountFrame>
  );
}
