import { contactTexts } from "../../content/dashboardContacts";
import { formatCount } from "../../content/numbers";

/** How many contacts nobody has called yet. */
export function WaitingBadge({ count }: { readonly count: number }) {
  return (
    <span className="ml-1.5 rounded-full bg-warn-50 px-2 py-0.5 text-[0.8125rem] text-warn-800 tabular-nums">
      <span aria-hidden="true">{formatCount(count)}</span>
      <span className="sr-only">({contactTexts.waiting(count)})</span>
    </span>
  );
}
