import { dashboardTexts } from "../../content/dashboard";
import { filterTexts } from "../../content/dashboardFilters";
import { presets } from "../shared/state/presets";
import { TitledDialog } from "../shared/TitledDialog";
import { useShortcutsOn } from "./shortcuts";

const texts = dashboardTexts.shortcuts;

type Key = readonly [key: string, action: string];

/** Those of every page with a list. */
export const listKeys: readonly Key[] = [
  ["J", texts.rowNext],
  ["K", texts.rowPrevious],
  ["?", texts.help],
];

const allKeys: readonly Key[] = [
  ...presets.map(({ key, name }) => [key.toUpperCase(), dashboardTexts.presets[name]] as const),
  ["B", filterTexts.search],
  ["→", texts.next],
  ["←", texts.previous],
  ...listKeys,
];

interface ShortcutsDialogProps {
  readonly open: boolean;
  readonly keys?: readonly Key[];
  readonly onClose: () => void;
}

/** Which keys do what, and a switch for those who press them by accident. */
export function ShortcutsDialog({ open, keys = allKeys, onClose }: ShortcutsDialogProps) {
  const { on, set } = useShortcutsOn();
  return (
    <TitledDialog
      className="max-w-md"
      closable
      description={texts.description}
      onClose={onClose}
      open={open}
      title={texts.title}
    >
      <dl className="mt-4 grid gap-1.5 text-[0.9375rem]">
        {keys.map(([key, action]) => (
          <div className="flex items-center gap-3" key={key}>
            <dt className="w-9 shrink-0">
              <kbd className="inline-grid h-7 min-w-7 place-items-center rounded-md border border-sand-300 bg-sand-50 px-1.5 font-medium text-ink-900 text-sm">
                {key}
              </kbd>
            </dt>
            <dd className="text-ink-700">{action}</dd>
          </div>
        ))}
      </dl>
      <label className="mt-5 flex items-center gap-2.5 border-sand-200 border-t pt-4 text-[0.9375rem] text-ink-900">
        <input
          checked={on}
          className="size-4.5 accent-teal-700"
          onChange={({ target }) => set(target.checked)}
          type="checkbox"
        />
        {texts.enabled}
      </label>
    </TitledDialog>
  );
}
