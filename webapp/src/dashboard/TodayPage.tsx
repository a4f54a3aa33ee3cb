import { useState } from "react";
import { waitingTexts } from "../content/dashboardWaiting";
import { beginsToday, setBeginsToday } from "../ui/beginning";
import { Agenda } from "./agenda/Agenda";
import { Frame, type FrameProps } from "./frame/Frame";
import { Switch } from "./shared/Switch";
import { UnusualCard } from "./unusual/UnusualCard";
import { useLiveQueue } from "./useLiveQueue";
import { Queue } from "./waiting/Queue";

/** What the clinic has to do today. */
export default function TodayPage(frame: FrameProps) {
  useLiveQueue();
  const [begins, setBegins] = useState(beginsToday);
  return (
    <Frame {...frame} subtitle={waitingTexts.subtitle} title={waitingTexts.page}>
      <Queue />
      <Agenda compact />
      <UnusualCard />
      <div className="no-print">
        <Switch
          label={waitingTexts.beginHere}
          on={begins}
          onToggle={() => {
            setBeginsToday(!begins);
            setBegins(!begins);
          }}
        />
      </div>
    </Frame>
  );
}
