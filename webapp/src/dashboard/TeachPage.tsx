import { useSearch } from "wouter";
import { useHistoryState } from "wouter/use-browser-location";
import { teachingTexts } from "../content/dashboardTeaching";
import { Teaching } from "./answers/Teaching";
import { Frame, type FrameProps } from "./frame/Frame";

/** Where an answer is written, tried and published. */
export default function TeachPage(frame: FrameProps) {
  const address = new URLSearchParams(useSearch());
  const told = useHistoryState<{ questions?: readonly string[] } | null>();
  return (
    <Frame {...frame} subtitle={teachingTexts.subtitle} title={teachingTexts.teach}>
      <Teaching
        questions={told?.questions ?? []}
        slug={address.get("respuesta") ?? undefined}
        topic={address.get("tema") ?? ""}
      />
    </Frame>
  );
}
