import { useId } from "react";
import type { Schemas } from "../../api/client";
import { dashboardTexts } from "../../content/dashboard";
import { formatDay } from "../../content/dates";
import { dayOf } from "../../content/zone";
import { Card } from "../../ui/Card";
import { classes } from "../../ui/classes";
import { CheckIcon, WarningIcon } from "../../ui/icons";
import { Explanation } from "../shared/Explanation";
import { BlockedIcon } from "../shared/icons";
import { limitState } from "./limit";

const texts = dashboardTexts.limit;

const styles = {
  normal: { icon: CheckIcon, words: texts.normal, text: "text-good-700", bar: "bg-good-500" },
  warning: { icon: WarningIcon, words: texts.warning, text: "text-warn-800", bar: "bg-warn-400" },
  reached: { icon: BlockedIcon, words: texts.reached, text: "text-bad-700", bar: "bg-bad-600" },
} as const;

/** How much of the month's conversations is used up, in colour, sign and words. */
export function LimitCard({ limit }: { readonly limit: Schemas["MonthlyLimit"] }) {
  const title = useId();
  const state = limitState(limit);
  const { icon: Icon, words, text, bar } = styles[state];
  const shown = Math.min(100, Math.max(0, limit.percentageUsed));

  return (
    <Card className="p-4 sm:p-5" data-state={state}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <div className="flex items-center gap-1">
          <h2 className="font-semibold text-ink-900" id={title}>
            {texts.title}
          </h2>
          <Explanation of="limit" />
        </div>
        <p className="text-ink-500 text-sm">
          <span className="font-semibold text-ink-900 text-xl tabular-nums tracking-tight">
            {texts.usage(limit.current, limit.limit)}
          </span>
        </p>
      </div>
      <div
        aria-labelledby={title}
        aria-valuemax={100}
        aria-valuemin={0}
        aria-valuenow={shown}
        aria-valuetext={`${texts.used(limit.percentageUsed)}. ${words}`}
        className="mt-4 h-2.5 overflow-hidden rounded-full bg-sand-200"
        role="progressbar"
      >
        <div
          className={classes("h-full rounded-full transition-[width]", bar)}
          style={{ width: `${shown}%` }}
        />
      </div>
      <div className="mt-3.5 flex flex-wrap items-center justify-between gap-x-6 gap-y-1 text-sm">
        <p className={classes("flex items-center gap-1.5 font-semibold", text)}>
          <Icon className="size-4.5 shrink-0" />
          {words}
        </p>
        <p className="text-ink-500 tabular-nums">
          {texts.used(limit.percentageUsed)} · {texts.remaining(limit.remaining)}
        </p>
      </div>
      {limit.exhaustion && (
        <p className="mt-1.5 text-ink-500 text-sm">
          {texts.exhaustion(formatDay(dayOf(new Date(limit.exhaustion))))}
        </p>
      )}
    </Card>
  );
}
