import { dashboardTexts } from "../../content/dashboard";
import { Button } from "../../ui/Button";
import { classes } from "../../ui/classes";

interface NewDataNoticeProps {
  readonly message: string;
  readonly onShow: () => void;
  readonly className?: string;
}

/** Says that a list is outdated; the reader decides when it moves. */
export function NewDataNotice({ message, onShow, className }: NewDataNoticeProps) {
  return (
    <div
      className={classes(
        "flex items-center justify-between gap-3 border-sand-200 border-t bg-teal-50 px-5 py-2 text-sm text-teal-800 sm:px-6",
        className,
      )}
    >
      <p role="status">{message}</p>
      <Button variant="quiet" onClick={onShow} size="small">
        {dashboardTexts.showNewData}
      </Button>
    </div>
  );
}
