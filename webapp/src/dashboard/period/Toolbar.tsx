import { useId } from "react";
import { dashboardTexts } from "../../content/dashboard";
import { classes } from "../../ui/classes";
import { Select } from "../shared/Select";
import type { Comparison } from "../shared/state/address";
import { type Preset, presetOf, presets } from "../shared/state/presets";
import type { Dashboard } from "../shared/state/useDashboard";

const texts = dashboardTexts;
const comparisons: readonly Comparison[] = ["previous", "weekday", "year", "none"];

/** The frequent periods, and what the numbers are compared with. */
export function Toolbar({ dashboard }: { readonly dashboard: Dashboard }) {
  const { chosen, today, view, pick, setView } = dashboard;
  const current = presetOf(chosen, today);
  const compare = useId();
  return (
    <div className="no-print flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <fieldset className="flex min-w-0 flex-wrap gap-1">
        <legend className="sr-only">{texts.presets.label}</legend>
        {presets.map((preset) => (
          <PresetButton
            key={preset.name}
            onPick={() => pick(preset.days(today))}
            preset={preset}
            selected={preset === current}
          />
        ))}
      </fieldset>
      <div className="flex items-center gap-2 text-sm">
        <label className="text-ink-500" htmlFor={compare}>
          {texts.compare.label}
        </label>
        <Select
          id={compare}
          onSelect={(compare) => setView({ compare }, "replace")}
          options={comparisons.map((one) => [one, texts.compare[one]])}
          value={view.compare}
        />
      </div>
    </div>
  );
}

interface PresetButtonProps {
  readonly preset: Preset;
  readonly selected: boolean;
  readonly onPick: () => void;
}

function PresetButton({ preset, selected, onPick }: PresetButtonProps) {
  return (
    <button
      aria-pressed={selected}
      className={classes(
        "min-h-9 whitespace-nowrap rounded-lg px-3 font-medium text-sm transition-colors",
        selected ? "bg-teal-700 text-white" : "text-ink-700 hover:bg-sand-200",
      )}
      onClick={onPick}
      title={`${texts.shortcuts.key} ${preset.key.toUpperCase()}`}
      type="button"
    >
      {texts.presets[preset.name]}
    </button>
  );
}
