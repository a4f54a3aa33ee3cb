import { useState } from "react";
import type { Schemas } from "../../api/client";
import { dashboardTexts } from "../../content/dashboard";
import type { Day } from "../../content/zone";
import { classes } from "../../ui/classes";
import { CloseIcon, WarningIcon } from "../../ui/icons";
import { readStored, writeStored } from "../../ui/storage";
import { BlockedIcon } from "../shared/icons";
import { type Threshold, thresholdOf } from "./limit";

const texts = dashboardTexts.limit;
/** Keeps the notice that was closed last: its month and threshold. */
const storageKey = "bitacora-limit-notice";

const colours: Record<Threshold, string> = {
  80: "border-warn-400 text-warn-800",
  100: "border-bad-600 text-bad-700",
};

interface LimitNoticeProps {
  readonly limit: Schemas["MonthlyLimit"];
  readonly today: Day;
}

/** Says that the month is nearly, or wholly, used up, until it is closed: once each a month. */
export function LimitNotice({ limit, today }: LimitNoticeProps) {
  const [last, setLast] = useState(() => readStored(storageKey));
  const threshold = thresholdOf(limit);
  const name = `${today.year}-${today.month} ${threshold}`;
  if (!threshold || last === name) return null;
  const Icon = threshold === 100 ? BlockedIcon : WarningIcon;
  return (
    <div
      className={classes(
        "no-print flex items-start gap-2.5 rounded-xl border bg-white py-2.5 pr-2 pl-4 font-medium text-[0.9375rem]",
        colours[threshold],
      )}
      role="status"
    >
      <Icon className="mt-1.5 size-5 shrink-0" />
      <p className="flex-1 py-1">{texts.notice[threshold]}</p>
      <button
        aria-label={texts.dismiss}
        className="grid size-8 shrink-0 place-items-center rounded-lg text-ink-600 hover:bg-sand-100"
        onClick={() => {
          writeStored(storageKey, name);
          setLast(name);
        }}
        title={texts.dismiss}
        type="button"
      >
        <CloseIcon className="size-4.5" />
      </button>
    </div>
  );
}
