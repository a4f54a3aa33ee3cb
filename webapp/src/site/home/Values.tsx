import { useTexts } from "../../api/content";
import { classes } from "../../ui/classes";
import { NamedIcon } from "../../ui/NamedIcon";
import { columnsOf } from "../columns";
import { SectionHeading } from "../SectionHeading";

/** Three reasons to choose the clinic. */
export function Values() {
  const { heading, cards } = useTexts("home").values;
  return (
    <section className="page page-section">
      <SectionHeading heading={heading} />
      <ul className={classes("mt-8 grid gap-6 md:mt-10 md:gap-10", columnsOf(cards, "md"))}>
        {cards.map(({ title, text, icon }) => (
          <li
            className="flex gap-4 border-teal-200 border-t-2 pt-5 md:flex-col md:pt-6"
            key={title}
          >
            <NamedIcon className="size-8 shrink-0 text-teal-600" name={icon} />
            <div>
              <h3 className="font-semibold text-ink-900 text-xl tracking-tight">{title}</h3>
              <p className="mt-2 text-ink-600 leading-7">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
