import { useCallback, useId, useRef, useState } from "react";
import { Link } from "wouter";
import { clinic } from "../../content/clinic";
import { siteTexts } from "../../content/site";
import { ExternalButtonLink } from "../../ui/Button";
import { classes } from "../../ui/classes";
import { ChevronDownIcon, CloseIcon, MenuIcon } from "../../ui/icons";
import { isCurrent, isWithin } from "./navigation";
import { MenuBadge, type MenuLink } from "./SpecialtiesMenu";
import { useDismissal } from "./useDismissal";

const { header } = siteTexts;
const { mobile, menu } = header;

const row =
  "flex min-h-12 w-full items-center justify-between gap-3 rounded-xl px-3 text-left font-medium text-ink-900 hover:bg-teal-50 aria-[current=page]:bg-teal-50 aria-[current=page]:text-teal-700";

/** The navigation of small screens: a button and what it unfolds. */
export function MobileMenu({ path }: { readonly path: string }) {
  const [open, setOpen] = useState(false);
  const container = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => setOpen(false), []);
  const panelId = useId();
  useDismissal(open, close, container, button);

  return (
    <div className="max-sm:ml-auto lg:hidden" ref={container}>
      <button
        aria-controls={panelId}
        aria-expanded={open}
        aria-label={open ? mobile.close : mobile.open}
        className="grid size-11 place-items-center rounded-xl text-ink-900 hover:bg-sand-100"
        onClick={() => setOpen(!open)}
        ref={button}
        type="button"
      >
        {open ? <CloseIcon className="size-6" /> : <MenuIcon className="size-6" />}
      </button>
      <nav
        aria-label={header.label}
        className="absolute inset-x-0 top-full max-h-[calc(100dvh-4.5rem)] overflow-y-auto border-sand-200 border-t bg-white px-(--page-padding) pt-3 pb-5 shadow-float"
        hidden={!open}
        id={panelId}
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
        <ExternalButtonLink className="mt-4 w-full" href={clinic.bookingUrl} size="large">
          {header.book}
        </ExternalButtonLink>
      </nav>
    </div>
  );
}

interface SubmenuProps {
  readonly label: string;
  readonly target: string;
  readonly path: string;
}

function Submenu({ label, target, path }: SubmenuProps) {
  const [open, setOpen] = useState(isWithin(path, target));
  const id = useId();
  const links: readonly MenuLink[] = menu.columns.flatMap((column) => column.links);
  return (
    <>
      <button
        aria-controls={id}
        aria-expanded={open}
        className={row}
        onClick={() => setOpen(!open)}
        type="button"
      >
        {label}
        <span className="sr-only">
          {`. ${open ? mobile.hideSpecialties : mobile.showSpecialties}`}
        </span>
        <ChevronDownIcon className={classes("size-5 transition-transform", open && "rotate-180")} />
      </button>
      <ul className="mb-2 ml-3 grid gap-0.5 border-teal-200 border-l-2 pl-2" hidden={!open} id={id}>
        {[{ label: menu.all, path: target, text: "" }, ...links].map((link: MenuLink) => (
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
    </>
  );
}
