import { useId } from "react";
import { Link } from "wouter";
import { useTexts } from "../../api/content";
import type { PageLink } from "../../content/pages";
import { classes } from "../../ui/classes";
import { ArrowRightIcon, ChevronDownIcon } from "../../ui/icons";
import { isCurrent, itemClasses } from "./navigation";
import { useMenu } from "./useMenu";

interface SpecialtiesMenuProps {
  readonly label: string;
  readonly active: boolean;
  readonly path: string;
}

/** The clinic's specialties in two columns, shown on click. */
export function SpecialtiesMenu({ label, active, path }: SpecialtiesMenuProps) {
  const { menu } = useTexts("site").header;
  return (
    <details className="group" ref={useMenu()}>
      <summary className={classes(itemClasses(active), "cursor-pointer list-none gap-1.5")}>
        {label}
        <ChevronDownIcon className="size-4 transition-transform group-open:rotate-180" />
      </summary>
      <div className="absolute top-full right-(--page-padding) z-30 mt-2 w-[44rem] rounded-card border border-sand-200 bg-white p-3 shadow-float">
        <div className="grid grid-cols-2 gap-3">
          {menu.columns.map(({ heading, links }) => (
            <Column heading={heading} key={heading} links={links} path={path} />
          ))}
        </div>
        <Link
          aria-current={isCurrent(path, "/services")}
          className="mt-3 flex min-h-12 items-center justify-between rounded-xl bg-sand-100 px-4 font-semibold text-[0.9375rem] text-teal-700 hover:bg-sand-200"
          href="/services"
        >
          {menu.all}
          <ArrowRightIcon />
        </Link>
      </div>
    </details>
  );
}

interface ColumnProps {
  readonly heading: string;
  readonly links: readonly PageLink[];
  readonly path: string;
}

function Column({ heading, links, path }: ColumnProps) {
  const id = useId();
  return (
    <div>
      <p className="px-3 pt-2 pb-1 font-semibold text-ink-500 text-sm" id={id}>
        {heading}
      </p>
      <ul aria-labelledby={id}>
        {links.map(({ label, path: target, text, highlighted, badge }) => (
          <li key={target}>
            <Link
              aria-current={isCurrent(path, target)}
              className={classes(
                "block rounded-xl px-3 py-2.5 hover:bg-teal-50 aria-[current=page]:bg-teal-50",
                highlighted && "bg-clay-50 hover:bg-clay-100",
              )}
              href={target}
            >
              <span className="flex flex-wrap items-center gap-2 font-semibold text-ink-900">
                {label}
                {badge && <MenuBadge text={badge} />}
              </span>
              {text && <span className="mt-0.5 block text-ink-600 text-sm">{text}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

export function MenuBadge({ text }: { readonly text: string }) {
  return (
    <span className="shrink-0 whitespace-nowrap rounded-full bg-clay-700 px-2 py-0.5 font-semibold text-white text-xs">
      {text}
    </span>
  );
}
