import { classes } from "../../ui/classes";

interface TableHeadProps {
  readonly first: string;
  /** The heads of the numbers; `wide` columns are not shown on a phone. */
  readonly columns: readonly (readonly [name: string, wide?: "wide"])[];
  /** The classes of a cell with a number. */
  readonly cell: string;
}

/** The heads of a table of names and numbers. */
export function TableHead({ first, columns, cell }: TableHeadProps) {
  return (
    <thead className="text-ink-500 text-sm">
      <tr>
        <th className="py-1.5 text-left font-medium" scope="col">
          {first}
        </th>
        {columns.map(([name, wide]) => (
          <th
            className={classes(cell, "font-medium", wide && "max-sm:hidden")}
            key={name}
            scope="col"
          >
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}
