import { clinic, spansLine } from "../content/clinic";
import { classes } from "../ui/classes";
import { Hours } from "./Hours";
import { OpenNow } from "./OpenNow";

interface HoursCardProps {
  readonly caption: string;
  readonly note: string;
  /** Whether its rows stand further apart. */
  readonly roomy?: boolean;
  readonly className: string;
}

/** When the clinic is open: the days of the week, then those of the next weeks with other hours. */
export function HoursCard({ caption, note, roomy = false, className }: HoursCardProps) {
  const cell = roomy ? "py-3.5" : "py-3";
  // On the smallest phones days break before hours do.
  const head = `${cell} text-left font-medium text-ink-900 max-[23rem]:w-px`;
  const hoursCell = `${cell} pl-3 text-right text-ink-600 tabular-nums sm:whitespace-nowrap`;
  return (
    <div
      className={classes("rounded-card border border-sand-200 bg-white p-6 shadow-card", className)}
    >
      <table className="w-full text-[1.0625rem]">
        <caption className={classes("text-left", roomy ? "pb-4" : "pb-3")}>
          <span className="flex flex-wrap items-baseline justify-between gap-2">
            <span className="font-semibold text-ink-900 text-xl tracking-tight">{caption}</span>
            <span className="text-[0.9375rem] text-ink-600">
              <OpenNow />
            </span>
          </span>
        </caption>
        <tbody className="divide-y divide-sand-200 border-sand-200 border-y">
          {clinic.hours.map(({ days, hours }) => (
            <tr key={days}>
              <th className={head} scope="row">
                {days}
              </th>
              <td className={hoursCell}>
                <Hours>{hours}</Hours>
              </td>
            </tr>
          ))}
          {clinic.specialDays.map(({ from, days, name, spans }) => (
            <tr key={from}>
              <th className={head} scope="row">
                {days}
                {name && <span className="block font-normal text-ink-600 text-sm">{name}</span>}
              </th>
              <td className={hoursCell}>
                <Hours>{spansLine(spans)}</Hours>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-3 text-ink-500 text-sm">{note}</p>
    </div>
  );
}
