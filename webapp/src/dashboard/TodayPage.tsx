import { useState } from "react";
import { waitingTexts } from "../content/dashboardWaiting";
import { beginsToday, setBeginsToday } from "../ui/beginning";
import { Agenda } from "./agenda/Agenda";
import { useAgenda } from "./agenda/queries";
import { Frame, type FrameProps } from "./frame/Frame";
import { Switch } from "./shared/Switch";
import { useUnusual } from "./unusual/findings";
import { UnusualCard } from "./unusual/UnusualCard";
import { useLiveQueue } from "./useLiveQueue";
import { Queue } from "./waiting/Queue";

/** What the clinic has to do today. Each part waits for those above it, so that nothing moves once it is seen. */
export default function TodayPage(frame: FrameProps) {
  const parts = [useLiveQueue(), useAgenda(), useUnusual()];
  const pending = parts.findIndex(({ isPending }) => isPending);
  const arrived = pending < 0 ? parts.length : pending;
  const [begins, setBegins] = useState(beginsToday);
  return (
    <Frame {...frame} subtitle={waitingTexts.subtitle} title={waitingTexts.page}>
      <Queue />
      {arrived > 0 && <Agenda compact />}
      {arrived > 1 && <UnusualCard />}
      {arrived > 2 && (
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
      )}
    </Frame>
  );
}
