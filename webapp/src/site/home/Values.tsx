import { useTexts } from "../../api/content";
import { classes } from "../../ui/classes";
import { NamedIcon } from "../../ui/NamedIcon";
import { columnsOf } from "../columns";
import { SectionHeading } from "../SectionHeading";

/** Three reasons to choose the clinic. */
export function Values() {
  const { heading, cards } = useTexts("home").values;
  return (
    <section className="page py-16 sm:py-24">
      <SectionHeading heading={heading} />
      <ul className={classes("mt-10 grid gap-10", columnsOf(cards, "md"))}>
        {cards.map(({ title, text, icon }) => (
          <li className="border-teal-200 border-t-2 pt-6" key={title}>
            <NamedIcon className="size-8 text-teal-600" name={icon} />
            <h3 className="mt-4 font-semibold text-ink-900 text-xl tracking-tight">{title}</h3>
            <p className="mt-2 text-ink-600 leading-7">{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
