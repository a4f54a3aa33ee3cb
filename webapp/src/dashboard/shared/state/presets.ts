/** The periods that staff ask for most, each one key away. */
import type { dashboardTexts } from "../../../content/dashboard";
import { addDays, type Day, dayAt } from "../../../content/zone";
import { type DayRange, sameDays } from "./period";

type PresetName = Exclude<keyof typeof dashboardTexts.presets, "label">;

export interface Preset {
  readonly name: PresetName;
  /** The key that chooses it, lower case. */
  readonly key: string;
  /** Its days as of `today`; undefined for the default period, the last 30 days up to now. */
  readonly days: (today: Day) => DayRange | undefined;
}

function lastDays(today: Day, count: number): DayRange {
  return { from: addDays(today, 1 - count), to: today };
}

export const presets: readonly Preset[] = [
  { name: "today", key: "h", days: (today) => lastDays(today, 1) },
  {
    name: "yesterday",
    key: "a",
    days: (today) => ({ from: addDays(today, -1), to: addDays(today, -1) }),
  },
  { name: "week", key: "7", days: (today) => lastDays(today, 7) },
  { name: "recent", key: "3", days: () => undefined },
  { name: "quarter", key: "9", days: (today) => lastDays(today, 90) },
  {
    name: "month",
    key: "m",
    days: (today) => ({ from: dayAt(today.year, today.month, 1), to: today }),
  },
  {
    name: "lastMonth",
    key: "p",
    days: ({ year, month }) => ({ from: dayAt(year, month - 1, 1), to: dayAt(year, month, 0) }),
  },
  {
    name: "year",
    key: "t",
    days: (today) => ({ from: dayAt(today.year, 1, 1), to: today }),
  },
];

/** The preset that means these days today; undefined days are the default period. */
export function presetOf(days: DayRange | undefined, today: Day): Preset | undefined {
  return presets.find((preset) => {
    const meant = preset.days(today);
    return meant && days ? sameDays(meant, days) : meant === days;
  });
}
