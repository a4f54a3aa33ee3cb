import { contactTexts } from "../../content/dashboardContacts";
import { formatCount } from "../../content/numbers";

const texts = contactTexts.requests;

/** How many people wait for something about their data. */
export function RequestsBadge({ count }: { readonly count: number }) {
  return (
    <span className="ml-1.5 rounded-full bg-bad-50 px-2 py-0.5 text-[0.8125rem] text-bad-700 tabular-nums">
      <span aria-hidden="true">{formatCount(count)}</span>
      <span className="sr-only">({texts.badge(count)})</span>
    </span>
  );
}
