import { type KeyboardEvent, useId } from "react";
import { dashboardTexts } from "../../content/dashboard";
import { formatMoment } from "../../content/dates";
import { Badge } from "../../ui/Badge";
import { Dialog, DialogClose } from "../../ui/Dialog";
import { CalendarIcon } from "../../ui/icons";
import type { ConversationSummary } from "../shared/conversations";
import { FlagBadges } from "../shared/FlagBadges";
import { PersonIcon } from "../shared/icons";
import { History } from "./History";
import { type ListPosition, Neighbours } from "./Neighbours";
import { useMessages } from "./queries";

const texts = dashboardTexts.transcript;

interface TranscriptDialogProps {
  /** The conversation to show; undefined shows none. */
  readonly id: string | undefined;
  /** What the list says about it, where it is listed. */
  readonly summary: ConversationSummary | undefined;
  readonly position: ListPosition | undefined;
  /** The words by which it was found. */
  readonly sought: string | undefined;
  readonly onClose: () => void;
}

/** Everything that was said in one conversation. */
export function TranscriptDialog(props: TranscriptDialogProps) {
  const { id, summary, position, sought, onClose } = props;
  const title = useId();
  const description = useId();
  const { data } = useMessages(id);
  const startedAt = summary?.startedAt ?? data?.[0]?.timestamp;

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowLeft") position?.onPrevious?.();
    else if (event.key === "ArrowRight") position?.onNext?.();
    else return;
    event.preventDefault();
  };

  return (
    <Dialog
      className="max-w-2xl"
      describedBy={description}
      labelledBy={title}
      onClose={onClose}
      open={id !== undefined}
    >
      {id !== undefined && (
        // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys of the whole dialog
        <div onKeyDown={onKeyDown}>
          <header className="relative border-sand-200 border-b px-5 py-4 pr-14 sm:px-6">
            <h2 className="break-all font-semibold text-ink-900 text-lg" id={title}>
              {texts.title(id)}
            </h2>
            <p className="mt-0.5 text-ink-500 text-sm" id={description}>
              {texts.description}
              {startedAt && ` · ${formatMoment(new Date(startedAt))}`}
            </p>
            <DialogClose onClose={onClose} />
          </header>
          <History id={id} key={id} sought={sought} />
          <footer className="flex flex-wrap items-center gap-2 border-sand-200 border-t px-5 py-3 empty:hidden sm:px-6">
            <FlagBadges of={summary?.flags} reasons={summary?.reasons} />
            {summary?.leadGenerated && (
              <Badge variant="lead">
                <PersonIcon className="size-3.5" />
                {texts.lead}
              </Badge>
            )}
            {summary?.leadGenerated && summary.appointmentScheduled && (
              <Badge variant="appointment">
                <CalendarIcon className="size-3.5" />
                {texts.appointment}
              </Badge>
            )}
            {position && <Neighbours place={position} />}
          </footer>
        </div>
      )}
    </Dialog>
  );
}
