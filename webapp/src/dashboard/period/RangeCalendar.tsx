import { useState } from "react";
import { DayPicker } from "react-day-picker";
import { es } from "react-day-picker/locale/es";
import { dashboardTexts } from "../../content/dashboard";
import type { Day } from "../../content/zone";
import { Button } from "../../ui/Button";
import { ChevronDownIcon, ChevronLeftIcon, ChevronRightIcon } from "../../ui/icons";
import type { DayRange } from "../shared/state/period";
import { chosenDays, type Draft, maxDays, toCalendarDate } from "./picker";

const texts = dashboardTexts.picker;

/** No conversation is older. */
const firstMonth = new Date(2018, 0, 1);

function Chevron({ orientation }: { readonly orientation?: "up" | "down" | "left" | "right" }) {
  if (orientation === "down") return <ChevronDownIcon className="size-4" />;
  return orientation === "right" ? <ChevronRightIcon /> : <ChevronLeftIcon />;
}

interface RangeCalendarProps {
  readonly initial: DayRange;
  readonly today: Day;
  readonly onPick: (days: DayRange) => void;
  readonly onRecent: () => void;
  readonly onCancel: () => void;
}

/** Two months in which a first and a last day are chosen. */
export default function RangeCalendar(props: RangeCalendarProps) {
  const { initial, today, onPick, onRecent, onCancel } = props;
  const [draft, setDraft] = useState<Draft>({
    from: toCalendarDate(initial.from),
    to: toCalendarDate(initial.to),
  });
  const latest = toCalendarDate(today);
  const lastShown = toCalendarDate(initial.to);

  const select = (range: Draft) => {
    setDraft(range);
    const days = chosenDays(range);
    if (days) onPick(days);
  };

  return (
    <div className="p-4">
      <DayPicker
        autoFocus
        captionLayout="dropdown"
        classNames={{
          root: "relative",
          months: "flex flex-col gap-6 sm:flex-row",
          month: "w-full sm:w-[17.5rem]",
          month_caption: "mb-2 flex h-10 items-center justify-center",
          nav: "absolute inset-x-0 top-0 flex h-10 items-center justify-between",
          button_previous: navigation,
          button_next: navigation,
          dropdowns:
            "relative z-10 flex items-center gap-1 font-semibold text-ink-900 text-[0.9375rem]",
          dropdown_root:
            "relative inline-flex rounded-lg has-focus-visible:outline-2 has-focus-visible:outline-teal-600",
          dropdown: "absolute inset-0 cursor-pointer opacity-0",
          caption_label:
            "inline-flex items-center gap-0.5 rounded-lg px-2 py-1 capitalize hover:bg-sand-100",
          month_grid: "w-full border-collapse",
          weekday: "h-8 w-1/7 font-medium text-[0.8125rem] text-ink-500 capitalize",
          day: "p-0 py-0.5 text-center text-[0.9375rem] tabular-nums",
          day_button:
            "relative size-10 w-full rounded-lg text-ink-900 hover:bg-teal-100 disabled:pointer-events-none disabled:text-ink-400",
          today: "font-bold underline decoration-2 decoration-clay-500 underline-offset-4",
          range_start: end,
          range_end: end,
          range_middle: "bg-teal-100 [&>button]:rounded-none",
          hidden: "invisible",
        }}
        components={{ Chevron }}
        defaultMonth={new Date(lastShown.getFullYear(), lastShown.getMonth() - 1, 1)}
        disabled={{ after: latest }}
        endMonth={latest}
        locale={es}
        max={maxDays - 1}
        mode="range"
        numberOfMonths={2}
        onSelect={select}
        required
        // Without it the first click on a complete range already completes a new one.
        resetOnSelect
        selected={{ from: draft.from, to: draft.to }}
        startMonth={firstMonth}
        today={latest}
        weekStartsOn={1}
      />
      <div className="mt-4 flex flex-wrap items-center justify-between gap-2 border-sand-200 border-t pt-4">
        <p aria-live="polite" className="text-ink-500 text-sm">
          {draft.to ? texts.chooseFirst : texts.chooseLast}
        </p>
        <div className="flex gap-2">
          <Button variant="quiet" onClick={onRecent} size="small">
            {texts.recent}
          </Button>
          <Button variant="secondary" onClick={onCancel} size="small">
            {texts.cancel}
          </Button>
        </div>
      </div>
    </div>
  );
}

// White, also where the dark theme gives that name to the ground of sheets.
const end = "[&>button]:bg-teal-700 [&>button]:text-[#fff] [&>button]:hover:bg-teal-800";

const navigation =
  "z-20 grid size-10 place-items-center rounded-lg text-ink-700 hover:bg-sand-100 aria-disabled:opacity-30";
