import { teachingTexts } from "../content/dashboardTeaching";
import { TaughtAnswers } from "./answers/TaughtAnswers";
import { Frame, type FrameProps } from "./frame/Frame";

/** What the staff taught the assistant. */
export default function AnswersPage(frame: FrameProps) {
  return (
    <Frame {...frame} subtitle={teachingTexts.subtitle} title={teachingTexts.title}>
      <TaughtAnswers />
    </Frame>
  );
}
