import { clinic, spansLine } from "../content/clinic";

interface Props {
  /** How much space a row has above and below. */
  readonly cell: string;
}

/** Rows of a table of hours: the days of the next weeks on which they are other ones. */
export function SpecialDays({ cell }: Props) {
  return clinic.specialDays.map(({ from, days, name, spans }) => (
    <tr key={from}>
      <th className={`${cell} text-left font-medium text-ink-900`} scope="row">
        {days}
        {name && <span className="block font-normal text-ink-600 text-sm">{name}</span>}
      </th>
      <td
        className={`${cell} pl-3 text-right text-ink-600 tabular-nums ${spans.length > 1 ? "sm:whitespace-nowrap" : "whitespace-nowrap"}`}
      >
        {spansLine(spans)}
      </td>
    </tr>
  ));
}
