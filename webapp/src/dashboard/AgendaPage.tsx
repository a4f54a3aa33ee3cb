import { agendaTexts } from "../content/dashboardAgenda";
import { Agenda } from "./agenda/Agenda";
import { Frame, type FrameProps } from "./frame/Frame";

/** Who comes today and tomorrow. */
export default function AgendaPage(frame: FrameProps) {
  return (
    <Frame {...frame} subtitle={agendaTexts.subtitle} title={agendaTexts.title}>
      <Agenda />
    </Frame>
  );
}
