import type { ReactNode } from "react";
import { useTexts } from "../../api/content";
import { clinic, floorAndCity, streetLine } from "../../content/clinic";
import { MailIcon, PhoneIcon, PinIcon } from "../../ui/icons";
import { HoursCard } from "../HoursCard";

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

/** Where the clinic is and when it is open. */
export function Visit() {
  const { visit } = useTexts("home");
  const { address, phones, email } = clinic;
  return (
    <section className="scroll-mt-20 bg-sand-100" id="visitenos">
      <div className="page grid gap-x-16 gap-y-10 page-section lg:grid-cols-2">
        <div>
          <h2 className="font-semibold text-teal-900 text-title">{visit.heading}</h2>
          <dl className="mt-8 flex flex-col gap-6">
            <Fact icon={<PinIcon />} label={visit.address}>
              {streetLine(address)}
              <br />
              {floorAndCity(address)}
            </Fact>
            <Fact icon={<PhoneIcon />} label={visit.phones}>
              {phones.map(({ label, href }) => (
                <span className="mr-6 inline-block tabular-nums" key={href}>
                  <a className={factLink} href={href}>
                    {label}
                  </a>
                </span>
              ))}
            </Fact>
            <Fact icon={<MailIcon />} label={visit.email}>
              <a className={factLink} href={`mailto:${email}`}>
                {email}
              </a>
            </Fact>
          </dl>
        </div>
        <HoursCard
          caption={visit.hoursCaption}
          className="self-start sm:p-8"
          note={visit.hoursNote}
          roomy
        />
      </div>
    </section>
  );
}
