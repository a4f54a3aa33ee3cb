import type { ReactNode } from "react";
import { useTexts } from "../../api/content";
import { clinic, floorAndCity, noAccount, streetLine, withPhoneWhole } from "../../content/clinic";
import { interfaceTexts } from "../../content/interface";
import { CalendarIcon, MailIcon, PhoneIcon, PinIcon, WarningIcon } from "../../ui/icons";
import { BookingLink } from "../BookingLink";
import { BrandIcon } from "../BrandIcon";
import { HoursCard } from "../HoursCard";
import { PageBanner } from "../PageBanner";
import { ContactForm } from "./ContactForm";
import { MapPanel } from "./MapPanel";
import { Practical } from "./Practical";

/** How to reach the clinic. */
export default function ContactPage() {
  const texts = useTexts("contact");
  return (
    <>
      <PageBanner text={texts.hero.text} title={texts.hero.title} />
      <div className="bg-sand-50">
        <div className="page grid items-start gap-x-14 gap-y-12 page-section lg:grid-cols-[1fr_1.15fr]">
          <Details />
          <section className="min-w-0 rounded-card border border-sand-200 bg-white p-6 shadow-card sm:p-9">
            <h2 className="mb-4 font-semibold text-teal-900 text-title">{texts.form.heading}</h2>
            <ContactForm />
          </section>
        </div>
      </div>
      <Practical />
      <MapPanel />
    </>
  );
}

function Details() {
  const { details } = useTexts("contact");
  const { address, phones, whatsapp, email } = clinic;
  return (
    <section>
      <h2 className="font-semibold text-teal-900 text-title">{details.heading}</h2>
      <dl className="mt-8 flex flex-col gap-6">
        <Fact icon={<PinIcon />} label={details.address}>
          {streetLine(address)}
          <br />
          {floorAndCity(address)}
        </Fact>
        <Fact icon={<PhoneIcon />} label={details.phones}>
          {phones.map(({ label, href }) => (
            <span className="mr-6 inline-block tabular-nums" key={href}>
              <a className={factLink} href={href}>
                {label}
              </a>
            </span>
          ))}
          {whatsapp && (
            <a className={factLink} href={whatsapp.href}>
              {`${details.whatsapp}: ${whatsapp.label}`}
            </a>
          )}
        </Fact>
        <Fact icon={<MailIcon />} label={details.email}>
          <a className={factLink} href={`mailto:${email}`}>
            {email}
          </a>
        </Fact>
      </dl>
      <HoursCard caption={details.hours} className="mt-8" note={details.hoursNote} />
      <p className="mt-6 flex gap-3 rounded-xl border border-clay-100 bg-clay-50 p-4 leading-6">
        <WarningIcon className="mt-0.5 size-5 shrink-0 text-clay-700" />
        <span>{withPhoneWhole(details.urgent)}</span>
      </p>
      <div className="mt-8 flex flex-wrap items-center justify-between gap-x-8 gap-y-6">
        <Social />
        <BookingLink size="large">
          <CalendarIcon />
          {details.book}
        </BookingLink>
      </div>
    </section>
  );
}

const factLink =
  "inline-flex min-h-8 items-center rounded font-medium text-teal-700 underline-offset-4 hover:underline [overflow-wrap:anywhere]";

interface FactProps {
  readonly icon: ReactNode;
  readonly label: string;
  readonly children: ReactNode;
}

function Fact({ icon, label, children }: FactProps) {
  return (
    <div className="grid grid-cols-[2.75rem_1fr] gap-x-4">
      <dt className="contents">
        <span className="row-span-2 grid size-11 place-items-center rounded-xl bg-teal-100 text-teal-700">
          {icon}
        </span>
        <span className="font-medium text-ink-600 text-sm">{label}</span>
      </dt>
      <dd className="text-[1.0625rem] text-ink-900 leading-7">{children}</dd>
    </div>
  );
}

/** The clinic's accounts. The link to one that there is not yet leads nowhere. */
function Social() {
  const { details } = useTexts("contact");
  const { social } = clinic.links;
  if (social.length === 0) return null;
  return (
    <div>
      <h3 className="font-medium text-ink-600 text-sm">{details.social}</h3>
      <ul className="mt-2 flex gap-2.5">
        {social.map(({ name, href }) => (
          <li key={name}>
            <a
              className="grid size-11 place-items-center rounded-xl border border-sand-300 bg-white text-teal-700 hover:border-teal-400 hover:bg-teal-50"
              href={href}
              {...(href !== noAccount && { target: "_blank", rel: "noopener noreferrer" })}
            >
              <BrandIcon name={name} />
              <span className="sr-only">
                {name}
                {href !== noAccount && ` ${interfaceTexts.newTab}`}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
