import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { waitingTexts } from "../content/dashboardWaiting";
import { beginsToday, setBeginsToday } from "../ui/beginning";
import { AccountFrame, type FrameProps } from "./AccountFrame";
import { Agenda } from "./agenda/Agenda";
import { useLive } from "./frame/live";
import { useSeesPeople } from "./shared/people";
import { dashboardKey } from "./shared/queries";
import { Switch } from "./shared/Switch";
import { Queue } from "./waiting/Queue";
import { useWaiting } from "./waiting/queries";

/** What the clinic has to do today. */
export default function TodayPage(frame: FrameProps) {
  const queries = useQueryClient();
  const position = useWaiting().data?.pages[0]?.position;
  useLive(position, () => queries.invalidateQueries({ queryKey: [dashboardKey] }));
  const seesPeople = useSeesPeople();
  const [begins, setBegins] = useState(beginsToday);
  return (
    <AccountFrame
      {...frame}
      answers={seesPeople}
      subtitle={waitingTexts.subtitle}
      title={waitingTexts.page}
    >
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
    </AccountFrame>
  );
}
