import type { Schemas } from "../../api/client";
import { weekdays } from "../../content/calendar";
import { formatAge, waitingTexts } from "../../content/dashboardWaiting";

const texts = waitingTexts.firstContactBy;

type FirstContact = Schemas["FirstContact"];

/** How long contacts waited for the first attempt to reach them, by the day they came and by who made it. */
export function FirstContacts({ list }: { readonly list: readonly FirstContact[] }) {
  if (list.length === 0) return null;
  return (
    <details className="mt-2 text-sm">
      <summary className="w-fit cursor-pointer rounded-sm py-1.5 font-semibold text-teal-700">
        {texts.title}
      </summary>
      <div className="mt-1 grid gap-x-10 gap-y-3 sm:grid-cols-2">
        <Table list={list.filter(({ weekday }) => weekday)} name={texts.weekday} />
        <Table list={list.filter(({ by }) => by)} name={texts.person} />
      </div>
    </details>
  );
}

interface TableProps {
  readonly name: string;
  readonly list: readonly FirstContact[];
}

function Table({ name, list }: TableProps) {
  return (
    <table className="w-full self-start text-left tabular-nums">
      <thead className="text-ink-500">
        <tr>
          <th className="py-1 font-normal" scope="col">
            {name}
          </th>
          <th className="py-1 font-normal" scope="col">
            {texts.median}
          </th>
          <th className="py-1 text-right font-normal" scope="col">
            {texts.contacts}
          </th>
        </tr>
      </thead>
      <tbody>
        {list.map(({ weekday, by, seconds, contacts }) => (
          <tr className="border-sand-200 border-t" key={weekday ?? by}>
            <th className="py-1 pr-3 font-medium text-ink-900 [overflow-wrap:anywhere]" scope="row">
              {weekday ? weekdays[weekday - 1] : by}
            </th>
            <td className="py-1 pr-3">{formatAge(seconds * 1000)}</td>
            <td className="py-1 text-right">{contacts}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
