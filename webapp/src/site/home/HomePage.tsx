import type { ReactNode } from "react";
import { clinic } from "../../content/clinic";
import { homeTexts } from "../../content/home";
import { ButtonLink, ExternalButtonLink } from "../../ui/Button";
import {
  ArrowRightIcon,
  HeartIcon,
  MailIcon,
  PersonIcon,
  PhoneIcon,
  PinIcon,
  SparkIcon,
} from "../../ui/icons";
import { OpenNow } from "../OpenNow";
import { HeroIllustration } from "./HeroIllustration";

/** The clinic at a glance: who it is, where, when, and how to book. */
export function HomePage() {
  return (
    <>
      <Hero />
      <Values />
      <Visit />
      <Closing />
    </>
  );
}

function Hero() {
  return (
    <section className="overflow-hidden bg-sand-50">
      <div className="page grid items-end gap-x-12 gap-y-8 pt-10 sm:pt-16 lg:grid-cols-[1.15fr_1fr] lg:pt-10">
        <div className="self-center pb-2 lg:pb-20">
          <p className="font-semibold text-[0.9375rem] text-clay-700">{homeTexts.eyebrow}</p>
          <h1 className="mt-4 max-w-[13ch] text-balance font-semibold text-display text-teal-900">
            {homeTexts.heading}
          </h1>
          <p className="mt-6 max-w-[34rem] text-pretty text-ink-600 text-lg leading-8">
            {homeTexts.lead}
          </p>
          <div className="mt-8 flex flex-wrap gap-3">
            <ExternalButtonLink href={clinic.bookingUrl} size="large">
              {homeTexts.book}
              <ArrowRightIcon />
            </ExternalButtonLink>
            <ButtonLink href={clinic.phones[0].href} look="secondary" size="large">
              <PhoneIcon className="size-5 text-teal-600" />
              {homeTexts.call}
            </ButtonLink>
          </div>
          <p className="mt-6 min-h-6 text-[0.9375rem] text-ink-600">
            <OpenNow />
          </p>
        </div>
        <HeroIllustration className="mx-auto w-full max-w-[19rem] sm:max-w-sm lg:max-w-[29rem]" />
      </div>
    </section>
  );
}

const valueIcons = [PersonIcon, SparkIcon, HeartIcon] as const;

function Values() {
  return (
    <section className="page scroll-mt-20 py-16 sm:py-24" id="por-que-nosotros">
      <h2 className="font-semibold text-teal-900 text-title">{homeTexts.valuesHeading}</h2>
      <ul className="mt-10 grid gap-x-10 gap-y-10 md:grid-cols-3">
        {homeTexts.values.map(({ title, text }, index) => {
          const Icon = valueIcons[index] ?? SparkIcon;
          return (
            <li className="border-teal-200 border-t-2 pt-6" key={title}>
              <Icon className="size-8 text-teal-600" />
              <h3 className="mt-4 font-semibold text-ink-900 text-xl tracking-tight">{title}</h3>
              <p className="mt-2 text-ink-600 leading-7">{text}</p>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

interface FactProps {
  readonly icon: ReactNode;
  readonly label: string;
  readonly children: ReactNode;
}

function Fact({ icon, label, children }: FactProps) {
  return (
    <div className="flex gap-4">
      <dt className="contents">
        <span className="mt-0.5 grid size-11 shrink-0 place-items-center rounded-xl bg-teal-100 text-teal-700">
          {icon}
        </span>
        <span className="sr-only">{label}</span>
      </dt>
      <dd className="self-center text-[1.0625rem] text-ink-900 leading-7">{children}</dd>
    </div>
  );
}

const factLink =
  "inline-flex min-h-8 items-center rounded font-medium text-teal-700 underline-offset-4 hover:underline";

function Visit() {
  const { address, phones, email } = clinic;
  return (
    <section className="scroll-mt-20 bg-sand-100" id="visitenos">
      <div className="page grid gap-x-16 gap-y-10 py-16 sm:py-20 lg:grid-cols-2">
        <div>
          <h2 className="font-semibold text-teal-900 text-title">{homeTexts.visitHeading}</h2>
          <dl className="mt-8 flex flex-col gap-6">
            <Fact icon={<PinIcon />} label={homeTexts.addressLabel}>
              {address.street}
              <br />
              {`${address.floor}, ${address.city}`}
            </Fact>
            <Fact icon={<PhoneIcon />} label={homeTexts.phonesLabel}>
              {phones.map(({ label, href }) => (
                <span className="mr-6 inline-block tabular-nums" key={href}>
                  <a className={factLink} href={href}>
                    {label}
                  </a>
                </span>
              ))}
            </Fact>
            <Fact icon={<MailIcon />} label={homeTexts.emailLabel}>
              <a className={factLink} href={`mailto:${email}`}>
                {email}
              </a>
            </Fact>
          </dl>
        </div>
        <div className="self-start rounded-card border border-sand-200 bg-white p-6 shadow-card sm:p-8">
          <table className="w-full text-[1.0625rem]">
            <caption className="pb-4 text-left">
              <span className="flex flex-wrap items-baseline justify-between gap-2">
                <span className="font-semibold text-ink-900 text-xl tracking-tight">
                  {homeTexts.hoursCaption}
                </span>
                <span className="text-[0.9375rem] text-ink-600">
                  <OpenNow />
                </span>
              </span>
            </caption>
            <tbody className="divide-y divide-sand-200 border-sand-200 border-y">
              {clinic.hours.map(({ days, hours }) => (
                <tr key={days}>
                  <th className="py-3.5 text-left font-medium text-ink-900" scope="row">
                    {days}
                  </th>
                  <td className="py-3.5 whitespace-nowrap text-right text-ink-600 tabular-nums">
                    {hours}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <p className="mt-3 text-ink-500 text-sm">{homeTexts.hoursNote}</p>
        </div>
      </div>
    </section>
  );
}

function Closing() {
  const { heading, text } = homeTexts.closing;
  return (
    <section className="bg-teal-800">
      <div className="page flex flex-col items-start gap-8 py-16 sm:py-20 md:flex-row md:items-center md:justify-between">
        <div>
          <h2 className="text-balance font-semibold text-title text-white">{heading}</h2>
          <p className="mt-3 max-w-[36rem] text-lg text-teal-100 leading-8">{text}</p>
        </div>
        <ExternalButtonLink href={clinic.bookingUrl} look="inverse" size="large">
          {homeTexts.book}
          <ArrowRightIcon />
        </ExternalButtonLink>
      </div>
    </section>
  );
}
