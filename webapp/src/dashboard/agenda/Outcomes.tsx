import { agendaTexts as texts } from "../../content/dashboardAgenda";
import { Button } from "../../ui/Button";
import { CheckIcon } from "../../ui/icons";
import { showToast } from "../../ui/toasts";
import { serverMessage } from "../shared/serverMessage";
import { type Appointment, type Outcome, useOutcome } from "./queries";

const outcomes = ["came", "missed", "cancelled-late"] as const;

interface OutcomesProps {
  readonly appointment: Appointment;
  readonly name: string;
}

/** The outcome of an appointment: one touch records it, another one on the same takes it back. */
export function Outcomes({ appointment, name }: OutcomesProps) {
  const record = useOutcome(appointment);
  const { outcome, possibleOutcomes, restricted } = appointment;
  const set = (wanted: Outcome) =>
    record.mutate(wanted, {
      onSuccess: () =>
        showToast(
          wanted === "unknown"
            ? { title: texts.takenBack(name) }
            : {
                title: texts.recorded(name, texts.outcome[wanted]),
                action: { label: texts.undo, onSelect: () => set("unknown") },
              },
        ),
      onError: (error) =>
        showToast({
          variant: "destructive",
          title: texts.failedOutcome(name),
          description: serverMessage(error),
        }),
    });
  if (restricted) return null;
  return (
    <fieldset className="no-print col-span-full flex flex-wrap gap-2 lg:col-span-1 lg:self-center">
      <legend className="sr-only">{texts.outcomeOf(name)}</legend>
      {outcomes
        .filter((one) => one === outcome || possibleOutcomes.includes(one))
        .map((one) => (
          <Button
            aria-pressed={one === outcome}
            className="max-sm:min-h-11"
            key={one}
            onClick={() => set(one === outcome ? "unknown" : one)}
            size="small"
            variant={one === outcome ? "primary" : "secondary"}
          >
            {one === outcome && <CheckIcon className="size-4" />}
            {texts.outcome[one]}
          </Button>
        ))}
    </fieldset>
  );
}
