import { useSearch } from "wouter";
import { useHistoryState } from "wouter/use-browser-location";
import { teachingTexts } from "../content/dashboardTeaching";
import { AccountFrame, type FrameProps } from "./AccountFrame";
import { Teaching } from "./answers/Teaching";

/** Where an answer is written, tried and published. */
export default function TeachPage(frame: FrameProps) {
  const address = new URLSearchParams(useSearch());
  const told = useHistoryState<{ questions?: readonly string[] } | null>();
  return (
    <AccountFrame {...frame} answers subtitle={teachingTexts.subtitle} title={teachingTexts.teach}>
      <Teaching
        questions={told?.questions ?? []}
        slug={address.get("respuesta") ?? undefined}
        topic={address.get("tema") ?? ""}
      />
    </AccountFrame>
  );
}
