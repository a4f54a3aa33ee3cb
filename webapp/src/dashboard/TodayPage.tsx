import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { waitingTexts } from "../content/dashboardWaiting";
import { beginsToday, setBeginsToday } from "../ui/beginning";
import { Agenda } from "./agenda/Agenda";
import { Frame, type FrameProps } from "./frame/Frame";
import { useLive } from "./frame/live";
import { dashboardKey } from "./shared/queries";
import { Switch } from "./shared/Switch";
import { Queue } from "./waiting/Queue";
import { useWaiting } from "./waiting/queries";

/** What the clinic has to do today. */
export default function TodayPage(frame: FrameProps) {
  const queries = useQueryClient();
  const position = useWaiting().data?.pages[0]?.position;
  useLive(position, () => queries.invalidateQueries({ queryKey: [dashboardKey] }));
  const [begins, setBegins] = useState(beginsToday);
  return (
    <Frame {...frame} subtitle={waitingTexts.subtitle} title={waitingTexts.page}>
      <Queue />
      <Agenda compact />
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
