import { type ReactNode, useId } from "react";
import { Link } from "wouter";
import { useTexts } from "../../api/content";
import { clinic, floorAndCity, spansLine, streetLine } from "../../content/clinic";
import { Logo } from "../../ui/Logo";
import { Hours } from "../Hours";

const link =
  "inline-flex min-h-8 items-center rounded underline-offset-4 hover:text-white hover:underline focus-visible:outline-white";

/** Links to every page, and how to reach the clinic. */
export function Footer() {
  const { footer, facts } = useTexts("site");
  return (
    <footer className="bg-teal-950 pb-(--bar) text-[0.9375rem] text-teal-100">
      <div className="page grid grid-cols-2 gap-x-8 gap-y-10 py-12 lg:grid-cols-[1.4fr_1fr_1fr_1.5fr]">
        <div className="max-sm:col-span-2">
          <div className="flex items-center gap-3.5">
            <Logo className="size-11 shrink-0 rounded-[0.8rem] ring-1 ring-white/15" onDark />
            <p className="font-semibold text-lg text-white">{clinic.name}</p>
          </div>
          <p className="mt-4 max-w-[22rem] leading-7">{footer.about}</p>
          <p className="mt-3 font-medium text-clay-400">{clinic.tagline}</p>
          {facts.claim && <p className="mt-1">{facts.claim}</p>}
        </div>
        <Links {...footer.quickLinks} />
        <Links {...footer.services} />
        <Contact />
      </div>
      <div className="border-white/10 border-t">
        <div className="page flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-6 pr-24 text-sm xl:pr-8">
          <p>{footer.rights}</p>
          <p className="max-w-[40rem]">{footer.disclaimer}</p>
          <a className={`${link} underline`} href="/login">
            {footer.staff}
          </a>
        </div>
      </div>
    </footer>
  );
}

function Heading({ id, children }: { readonly id?: string; readonly children: ReactNode }) {
  return (
    <h2 className="mb-3 font-semibold text-base text-white" id={id}>
      {children}
    </h2>
  );
}

interface LinksProps {
  readonly heading: string;
  readonly links: readonly { readonly label: string; readonly path: string }[];
}

function Links({ heading, links }: LinksProps) {
  const id = useId();
  if (links.length === 0) return null;
  return (
    <nav aria-labelledby={id}>
      <Heading id={id}>{heading}</Heading>
      <ul className="grid gap-1">
        {links.map(({ label, path }) => (
          <li key={path}>
            <Link className={link} href={path}>
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Contact() {
  const { address, email, phones, whatsapp, hours, specialDays } = clinic;
  const texts = useTexts("site").footer.contact;
  return (
    <div className="max-sm:col-span-2">
      <Heading>{texts.heading}</Heading>
      <dl className="grid gap-2">
        <Fact label={texts.address}>
          {streetLine(address)}
          <br />
          {floorAndCity(address)}
        </Fact>
        <Fact label={texts.email}>
          <a className={`${link} break-all`} href={`mailto:${email}`}>
            {email}
          </a>
        </Fact>
        <Fact label={texts.phones}>
          {phones.map(({ label, href }) => (
            <a className={`${link} mr-5 tabular-nums`} href={href} key={href}>
              {label}
            </a>
          ))}
          {whatsapp && (
            <a className={`${link} tabular-nums`} href={whatsapp.href}>
              {`${texts.whatsapp}: ${whatsapp.label}`}
            </a>
          )}
        </Fact>
        <Fact label={texts.hours}>
          {hours
            .filter(({ spans }) => spans.length > 0)
            .map(({ days, hours: open }) => (
              <span className="block leading-7" key={days}>
                {days}: <Hours>{open}</Hours>
              </span>
            ))}
          {specialDays.map(({ from, days, name, spans }) => (
            <span className="block leading-7" key={from}>
              {`${days}${name ? ` (${name})` : ""}: `}
              <Hours>{spansLine(spans)}</Hours>
            </span>
          ))}
        </Fact>
      </dl>
    </div>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="sr-only">{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
