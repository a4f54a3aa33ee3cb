import { contactTexts } from "../../content/dashboardContacts";
import { Button } from "../../ui/Button";
import { classes } from "../../ui/classes";
import { WarningIcon } from "../../ui/icons";
import { dueDay } from "./Requests";

const texts = contactTexts.requests;

interface RequestsNoticeProps {
  readonly count: number;
  /** When the first one is due. */
  readonly due: string | undefined;
  readonly onShow: () => void;
}

/** That people wait for something about their data, whatever the period is. */
export function RequestsNotice({ count, due, onShow }: RequestsNoticeProps) {
  const first = due ? dueDay(due) : undefined;
  return (
    <div
      className={classes(
        "flex flex-wrap items-center gap-x-4 gap-y-2 mb-4 border-sand-200 border-y px-5 py-2.5 sm:px-6",
        first?.overdue ? "bg-bad-50 text-bad-700" : "bg-warn-50 text-warn-800",
      )}
    >
      <WarningIcon className="size-5 shrink-0" />
      <p className="min-w-0 flex-1 basis-52 text-[0.9375rem]">
        <span className="font-semibold">{texts.pending(count)}.</span>{" "}
        {first && (first.overdue ? texts.firstOverdue(first.day) : texts.first(first.day))}
      </p>
      <Button className="no-print" onClick={onShow} size="small" variant="secondary">
        {texts.show}
      </Button>
    </div>
  );
}
