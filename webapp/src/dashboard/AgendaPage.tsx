import { agendaTexts } from "../content/dashboardAgenda";
import { AccountFrame, type FrameProps } from "./AccountFrame";
import { Agenda } from "./agenda/Agenda";

/** Who comes today and tomorrow. */
export default function AgendaPage(frame: FrameProps) {
  return (
    <AccountFrame {...frame} subtitle={agendaTexts.subtitle} title={agendaTexts.title}>
      <Agenda />
    </AccountFrame>
  );
}
