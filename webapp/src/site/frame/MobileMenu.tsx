import { Link } from "wouter";
import { useTexts } from "../../api/content";
import type { PageLink } from "../../content/pages";
import { classes } from "../../ui/classes";
import { ChevronDownIcon, CloseIcon, MenuIcon } from "../../ui/icons";
import { BookingLink } from "../BookingLink";
import { isCurrent, isWithin } from "./navigation";
import { MenuBadge } from "./SpecialtiesMenu";
import { useMenu } from "./useMenu";

const row =
  "flex min-h-12 w-full items-center justify-between gap-3 rounded-xl px-3 text-left font-medium text-ink-900 hover:bg-teal-50 aria-[current=page]:bg-teal-50 aria-[current=page]:text-teal-700";

/** The navigation of small screens, unfolded on click. */
export function MobileMenu({ path }: { readonly path: string }) {
  const { header } = useTexts("site");
  const { mobile } = header;
  return (
    <details className="group max-sm:ml-auto lg:hidden" ref={useMenu()}>
      <summary className="grid size-11 cursor-pointer list-none place-items-center rounded-xl text-ink-900 hover:bg-sand-100">
        <span className="group-open:hidden">
          <span className="sr-only">{mobile.open}</span>
          <MenuIcon className="size-6" />
        </span>
        <span className="hidden group-open:inline">
          <span className="sr-only">{mobile.close}</span>
          <CloseIcon className="size-6" />
        </span>
      </summary>
      <nav
        aria-label={header.label}
        className="absolute inset-x-0 top-full max-h-[calc(100dvh-4.5rem)] overflow-y-auto border-sand-200 border-t bg-white px-(--page-padding) pt-3 pb-5 shadow-float"
      >
        <ul className="grid gap-0.5">
          {header.nav.map(({ label, path: target, menu: nested }) => (
            <li key={target}>
              {nested ? (
                <Submenu label={label} path={path} target={target} />
              ) : (
                <Link aria-current={isCurrent(path, target)} className={row} href={target}>
                  {label}
                </Link>
              )}
            </li>
          ))}
        </ul>
        <BookingLink className="mt-4 w-full" size="large">
          {header.book}
        </BookingLink>
      </nav>
    </details>
  );
}

interface SubmenuProps {
  readonly label: string;
  readonly target: string;
  readonly path: string;
}

function Submenu({ label, target, path }: SubmenuProps) {
  const { menu } = useTexts("site").header;
  const links: readonly PageLink[] = menu.columns.flatMap((column) => column.links);
  return (
    <details className="group/submenu" open={isWithin(path, target)}>
      <summary className={classes(row, "cursor-pointer list-none")}>
        {label}
        <ChevronDownIcon className="size-5 transition-transform group-open/submenu:rotate-180" />
      </summary>
      <ul className="mb-2 ml-3 grid gap-0.5 border-teal-200 border-l-2 pl-2">
        {[{ label: menu.all, path: target }, ...links].map((link: PageLink) => (
          <li key={link.path}>
            <Link
              aria-current={isCurrent(path, link.path)}
              className={classes(row, "min-h-11 text-[0.9375rem]")}
              href={link.path}
            >
              {link.label}
              {link.badge && <MenuBadge text={link.badge} />}
            </Link>
          </li>
        ))}
      </ul>
    </details>
  );
}
