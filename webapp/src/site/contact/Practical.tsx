import { useTexts } from "../../api/content";
import { clinic } from "../../content/clinic";
import { classes } from "../../ui/classes";
import { fillsRow } from "../columns";

/** What the clinic tells of parking, payment, languages and the like; nothing where it tells none. */
export function Practical() {
  const { heading } = useTexts("contact").practical;
  if (clinic.facts.length === 0) return null;
  return (
    <section className="bg-white">
      <div className="page page-section">
        <h2 className="font-semibold text-teal-900 text-title">{heading}</h2>
        <dl className="mt-8 grid gap-x-14 gap-y-6 md:grid-cols-2 lg:grid-cols-3">
          {clinic.facts.map(({ key, name, value }) => (
            <div className={classes("border-sand-200 border-t pt-4", fillsRow)} key={key}>
              <dt className="font-medium text-ink-600 text-sm">{name}</dt>
              <dd className="mt-1 first-letter:uppercase text-[1.0625rem] text-ink-900 leading-7 [overflow-wrap:anywhere]">
                {value}
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  );
}
