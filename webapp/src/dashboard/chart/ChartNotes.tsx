import { Suspense, useState } from "react";
import { chartTexts } from "../../content/dashboardCharts";
import { formatIsoDay } from "../../content/zone";
import { Boundary, lazyPart } from "../../ui/Boundary";
import { Button } from "../../ui/Button";
import { Skeleton } from "../../ui/Skeleton";
import { useMay } from "../shared/rights";
import type { DayRange } from "../shared/state/period";
import { TitledDialog } from "../shared/TitledDialog";
import type { ChartNote } from "./queries";

const NoteEditor = lazyPart(() => import("./NoteEditor"));

const texts = chartTexts.notes;

interface ChartNotesProps {
  readonly notes: readonly ChartNote[];
  /** The days of the chart. */
  readonly days: DayRange;
}

/** The notes of the chart, which accounts that see people also write and remove. */
export function ChartNotes({ notes, days }: ChartNotesProps) {
  const [open, setOpen] = useState(false);
  const mayWrite = useMay("people");
  const close = () => setOpen(false);
  return (
    <>
      <Button onClick={() => setOpen(true)} size="small" variant="quiet">
        {texts.open}
      </Button>
      <TitledDialog
        className="max-w-md"
        closable
        description={texts.description}
        onClose={close}
        open={open}
        title={texts.title}
      >
        <Boundary>
          <Suspense fallback={<Skeleton className="mt-4 h-48" />}>
            <NoteEditor
              day={formatIsoDay(days.to)}
              mayWrite={mayWrite}
              notes={notes}
              onSaved={close}
            />
          </Suspense>
        </Boundary>
      </TitledDialog>
    </>
  );
}
