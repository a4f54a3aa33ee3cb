import { classes } from "../ui/classes";
import { columnsOf } from "./columns";

interface StepsProps {
  readonly items: readonly { readonly title: string; readonly text: string }[];
}

/** Numbered steps, one after the other. */
export function Steps({ items }: StepsProps) {
  const inThree = items.length % 3 === 0;
  return (
    <ol
      className={classes(
        "grid gap-x-10 gap-y-9",
        inThree ? "md:grid-cols-3" : classes("md:grid-cols-2", columnsOf(items)),
      )}
    >
      {items.map(({ title, text }, index) => (
        <li className={classes("flex gap-4", inThree && "md:max-lg:flex-col")} key={title}>
          <span
            aria-hidden="true"
            className="grid size-11 shrink-0 place-items-center rounded-full bg-teal-700 font-semibold text-lg text-white tabular-nums"
          >
            {index + 1}
          </span>
          <div>
            <h3 className="pt-1.5 font-semibold text-ink-900 text-xl tracking-tight">{title}</h3>
            <p className="mt-2 text-pretty text-ink-600 leading-7">{text}</p>
          </div>
        </li>
      ))}
    </ol>
  );
}
