import { Link } from "wouter";
import { useTexts } from "../../api/content";
import { clinic } from "../../content/clinic";
import { Logo } from "../../ui/Logo";
import { BookingLink } from "../BookingLink";
import { MobileMenu } from "./MobileMenu";
import { isCurrent, isWithin, itemClasses } from "./navigation";
import { SpecialtiesMenu } from "./SpecialtiesMenu";

/** The clinic's logo, the navigation and the link to an appointment. */
export function MainBar({ path }: { readonly path: string }) {
  const { header } = useTexts("site");
  return (
    <div className="sticky low:relative top-0 z-45 border-sand-200 border-b bg-white">
      <div className="page relative flex min-h-18 items-center gap-4 lg:gap-6">
        <Link aria-label={header.home} className="flex items-center gap-3 rounded-lg" href="/">
          <Logo className="size-10 shrink-0" />
          <span className="font-semibold text-ink-900 text-lg leading-5 tracking-tight">
            {clinic.name}
          </span>
        </Link>
        <nav aria-label={header.label} className="ml-auto max-lg:hidden">
          <ul className="flex gap-1">
            {header.nav.map(({ label, path: target, menu }) => (
              <li key={target}>
                {menu ? (
                  <SpecialtiesMenu active={isWithin(path, target)} label={label} path={path} />
                ) : (
                  <Link
                    aria-current={isCurrent(path, target)}
                    className={itemClasses(isWithin(path, target))}
                    href={target}
                  >
                    {label}
                  </Link>
                )}
              </li>
            ))}
          </ul>
        </nav>
        <BookingLink className="max-lg:ml-auto max-sm:hidden">{header.book}</BookingLink>
        <MobileMenu path={path} />
      </div>
    </div>
  );
}
