import { exportTexts } from "../../content/dashboardFilters";
import { Button } from "../../ui/Button";
import { DownloadIcon } from "../shared/icons";
import { type Cohort, parametersOf } from "../shared/queries";
import { usePopup } from "../shared/usePopup";

const texts = exportTexts;
const rows = ["conversations", "messages"] as const;
const formats = ["csv", "jsonl", "parquet"] as const;

/** Where the server gives these conversations as a file. */
function exportAddress(
  cohort: Cohort,
  row: (typeof rows)[number],
  format: (typeof formats)[number],
): string {
  const parameters = new URLSearchParams({ format, rows: row });
  for (const [name, value] of Object.entries(parametersOf(cohort))) {
    parameters.set(name, String(value));
  }
  return `/api/dashboard/export?${parameters}`;
}

/** On a phone the menu may open below what is seen. */
function reveal(menu: HTMLElement | null): void {
  menu?.scrollIntoView({ block: "nearest" });
}

interface ExportMenuProps {
  readonly cohort: Cohort;
  readonly total: number;
}

/** Gives exactly the conversations of the list as a file. */
export function ExportMenu({ cohort, total }: ExportMenuProps) {
  const { open, toggle, root, trigger, leaving } = usePopup();
  return (
    <div className="no-print relative" ref={root} {...leaving}>
      <Button aria-expanded={open} variant="secondary" onClick={toggle} ref={trigger} size="small">
        <DownloadIcon className="size-4 text-ink-500" />
        {texts.button}
      </Button>
      {open && (
        <div
          className="absolute top-full right-0 z-20 max-sm:right-auto max-sm:left-0 mt-1.5 w-72 max-w-[calc(100vw-5.5rem)] rounded-card border border-sand-200 bg-white p-4 shadow-float"
          ref={reveal}
        >
          <p className="font-semibold text-ink-900">{texts.title}</p>
          <p className="mt-0.5 text-ink-500 text-sm">{texts.note(total)}</p>
          {rows.map((row) => (
            <div className="mt-3" key={row}>
              <p className="text-ink-700 text-sm">{texts.rows[row]}</p>
              <div className="mt-1 flex flex-wrap gap-1.5">
                {formats.map((format) => (
                  <a
                    aria-label={texts.file(texts.rows[row], texts.formats[format])}
                    className="inline-flex min-h-9 items-center rounded-lg border border-sand-300 px-3 font-medium text-ink-900 text-sm hover:border-teal-400 hover:bg-teal-50"
                    download
                    href={exportAddress(cohort, row, format)}
                    key={format}
                  >
                    {texts.formats[format]}
                  </a>
                ))}
              </div>
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
