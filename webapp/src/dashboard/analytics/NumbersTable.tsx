import type { ReactNode } from "react";
import { classes } from "../../ui/classes";

interface NumbersTableProps<Row> {
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** The head of the names, and the name of a row. */
  readonly first: string;
  readonly name: (row: Row) => ReactNode;
  /** Heads and numbers; `wide` columns are not shown on a phone. */
  readonly columns: readonly (readonly [
    head: string,
    value: (row: Row) => ReactNode,
    wide?: "wide",
  ])[];
  readonly caption?: ReactNode;
  readonly className?: string;
}

/** A table of names and numbers. */
export function NumbersTable<Row>(props: NumbersTableProps<Row>) {
  const { rows, rowKey, first, name, columns, caption, className } = props;
  return (
    <table className={classes("w-full text-[0.9375rem] tabular-nums", className)}>
      {caption}
      <thead className="text-ink-500 text-sm">
        <tr>
          <th className="py-1.5 text-left font-medium" scope="col">
            {first}
          </th>
          {columns.map(([head, , wide]) => (
            <th
              className={classes("py-1.5 pl-3 text-right font-medium", wide && "max-sm:hidden")}
              key={head}
              scope="col"
            >
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-sand-200 border-sand-200 border-t">
        {rows.map((row) => (
          <tr key={rowKey(row)}>
            <th className="py-1.5 text-left font-medium text-ink-900" scope="row">
              {name(row)}
            </th>
            {columns.map(([head, value, wide]) => (
              <td
                className={classes(
                  "whitespace-nowrap py-1.5 pl-3 text-right",
                  wide && "max-sm:hidden",
                )}
                key={head}
              >
                {value(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
