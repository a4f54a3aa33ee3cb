import { Suspense } from "react";
import { dashboardTexts } from "../../content/dashboard";
import { dayOf } from "../../content/zone";
import { Boundary, lazyPart } from "../../ui/Boundary";
import { Button } from "../../ui/Button";
import { classes } from "../../ui/classes";
import { CalendarIcon, ChevronDownIcon } from "../../ui/icons";
import { Skeleton } from "../../ui/Skeleton";
import { type DayRange, formatDays } from "../shared/state/period";
import { usePopup } from "../shared/usePopup";

const RangeCalendar = lazyPart(() => import("./RangeCalendar"));

const texts = dashboardTexts.picker;

interface PeriodPickerProps {
  /** The days on show. */
  readonly days: DayRange;
  /** Called once both ends are chosen; with nothing for the default period. */
  readonly onPick: (days: DayRange | undefined) => void;
}

/** Shows the period and lets staff choose another one. */
export function PeriodPicker({ days, onPick }: PeriodPickerProps) {
  const { open, toggle, close, root, trigger, leaving } = usePopup();
  const pick = (picked: DayRange | undefined) => {
    onPick(picked);
    close();
  };

  return (
    <div className="relative" ref={root} {...leaving}>
      <Button
        aria-expanded={open}
        aria-haspopup="dialog"
        aria-label={texts.label(formatDays(days))}
        className={classes(
          "w-full justify-start tabular-nums sm:w-auto",
          // There the calendar covers it.
          open && "low:invisible max-sm:invisible",
        )}
        variant="secondary"
        onClick={toggle}
        ref={trigger}
      >
        <CalendarIcon className="size-5 text-teal-600" />
        <span className="flex-1 text-left">{formatDays(days)}</span>
        <ChevronDownIcon className="size-4 text-ink-500" />
      </Button>
      {open && (
        <div
          aria-label={texts.dialog}
          className="absolute top-full right-0 z-30 mt-2 rounded-card border border-sand-200 bg-white shadow-float max-sm:fixed max-sm:inset-x-2 max-sm:top-2 max-sm:bottom-2 max-sm:mt-0 max-sm:overflow-y-auto low:fixed low:inset-2 low:mt-0 low:overflow-y-auto"
          role="dialog"
        >
          <Boundary>
            <Suspense fallback={<Skeleton className="m-5 h-80 sm:w-[36rem]" />}>
              <RangeCalendar
                initial={days}
                onCancel={close}
                onPick={pick}
                onRecent={() => pick(undefined)}
                today={dayOf(new Date())}
              />
            </Suspense>
          </Boundary>
        </div>
      )}
    </div>
  );
}
