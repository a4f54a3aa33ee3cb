import type { ReactNode } from "react";
import { Link } from "wouter";
import { clinic } from "../content/clinic";
import { homeTexts } from "../content/home";
import { interfaceTexts } from "../content/interface";
import { ExternalButtonLink } from "../ui/Button";
import { ClockIcon, PhoneIcon, PinIcon } from "../ui/icons";
import { Mark } from "../ui/Mark";

/** What surrounds every public page. */
export function SiteFrame({ children }: { readonly children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-lg bg-white px-4 py-2 font-semibold text-teal-700 shadow-float focus-visible:translate-y-0"
        href="#contenido"
      >
        {interfaceTexts.skipToContent}
      </a>
      <header className="contents">
        <TopBar />
        <MainBar />
      </header>
      <div className="flex-1">{children}</div>
      <Footer />
    </div>
  );
}

function TopBar() {
  const [weekdays] = clinic.hours;
  return (
    <div className="bg-teal-900 text-sm text-teal-100">
      <div className="page flex min-h-10 flex-wrap items-center justify-between gap-x-6 py-1">
        <p className="flex items-center gap-1.5 max-md:hidden">
          <PinIcon className="size-4 text-teal-300" />
          {`${clinic.address.street}, ${clinic.address.floor}`}
        </p>
        <p className="flex items-center gap-1.5 max-lg:hidden">
          <ClockIcon className="size-4 text-teal-300" />
          {`${weekdays?.days}, ${weekdays?.hours}`}
        </p>
        <p className="flex flex-1 items-center justify-between gap-x-5 md:flex-none">
          {clinic.phones.map(({ label, href }) => (
            <a
              className="inline-flex min-h-8 items-center gap-1.5 rounded font-medium text-white tabular-nums hover:underline focus-visible:outline-white"
              href={href}
              key={href}
            >
              <PhoneIcon className="size-4 text-teal-300" />
              {label}
            </a>
          ))}
        </p>
      </div>
    </div>
  );
}

const navigation = [
  { href: "/#por-que-nosotros", label: homeTexts.nav.values },
  { href: "/#visitenos", label: homeTexts.nav.visit },
] as const;

function MainBar() {
  return (
    <div className="sticky top-0 z-20 border-sand-200 border-b bg-white/95 backdrop-blur">
      <div className="page flex min-h-18 items-center gap-6">
        <Link className="flex items-center gap-3 rounded-lg" href="/">
          <Mark className="size-10 shrink-0" />
          <span className="font-semibold text-ink-900 text-lg leading-5 tracking-tight">
            {clinic.name}
          </span>
        </Link>
        <nav aria-label={homeTexts.nav.label} className="ml-auto max-md:hidden">
          <ul className="flex gap-1">
            {navigation.map(({ href, label }) => (
              <li key={href}>
                <a
                  className="inline-flex min-h-11 items-center rounded-lg px-3 font-medium text-[0.9375rem] text-ink-700 hover:text-teal-700"
                  href={href}
                >
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <ExternalButtonLink className="max-md:ml-auto max-sm:hidden" href={clinic.bookingUrl}>
          {homeTexts.book}
        </ExternalButtonLink>
      </div>
    </div>
  );
}

function Footer() {
  return (
    <footer className="bg-teal-950 text-teal-100">
      <div className="page flex flex-col gap-8 py-12 sm:flex-row sm:items-start sm:justify-between">
        <div className="flex items-start gap-3.5">
          <Mark className="size-11 shrink-0 rounded-[0.8rem] ring-1 ring-white/15" />
          <div>
            <p className="font-semibold text-lg text-white">{clinic.name}</p>
            <p className="mt-0.5 text-[0.9375rem]">{clinic.tagline}</p>
          </div>
        </div>
        <div className="text-[0.9375rem] leading-7 sm:text-right">
          <p>{`${clinic.address.street}, ${clinic.address.floor}`}</p>
          <p>{clinic.address.city}</p>
          <p>
            <Link
              className="rounded underline underline-offset-4 hover:text-white focus-visible:outline-white"
              href="/login"
            >
              {homeTexts.staff}
            </Link>
          </p>
        </div>
      </div>
    </footer>
  );
}
