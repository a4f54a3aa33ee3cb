import { filterTexts } from "../../content/dashboardFilters";
import { CloseIcon } from "../../ui/icons";
import { type Filters, filterLabel, filterNames, without } from "../shared/state/filters";

const texts = filterTexts;

interface ChipsProps {
  readonly filters: Filters;
  readonly onFilter: (filters: Filters) => void;
}

/** Every filter in words, each with its own way out. */
export function Chips({ filters, onFilter }: ChipsProps) {
  return (
    <ul aria-label={texts.active} className="contents">
      {filterNames.map((name) => {
        const label = filterLabel(filters, name);
        return (
          label && (
            <li
              className="inline-flex items-center gap-0.5 rounded-full bg-teal-100 pl-3 text-sm text-teal-800"
              key={name}
            >
              <span className="max-w-60 truncate">{label}</span>
              <button
                aria-label={texts.remove(label)}
                className="grid size-7 place-items-center rounded-full hover:bg-teal-200"
                onClick={() => onFilter(without(filters, name))}
                type="button"
              >
                <CloseIcon className="size-3.5" />
              </button>
            </li>
          )
        );
      })}
    </ul>
  );
}
