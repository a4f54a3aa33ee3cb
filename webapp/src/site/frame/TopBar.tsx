import { useTexts } from "../../api/content";
import { addressLine, clinic } from "../../content/clinic";
import { fill } from "../../content/fill";
import { hoursOfDay } from "../../content/hours";
import { ClockIcon, PhoneIcon, PinIcon } from "../../ui/icons";
import { OpenNow, useNow } from "../OpenNow";

/** Where the clinic is, when it is open and how to call it, above everything. */
export function TopBar() {
  const { topBar } = useTexts("site");
  const now = useNow();
  return (
    <div className="bg-teal-900 text-sm text-teal-100">
      <div className="page flex min-h-10 flex-wrap items-center gap-x-6 py-1">
        <p className="flex items-center gap-1.5 max-md:hidden">
          <PinIcon className="size-4 text-teal-300" />
          <span className="sr-only">{topBar.address}: </span>
          {addressLine(clinic.address)}
        </p>
        <p className="flex items-center gap-1.5 max-lg:hidden">
          <ClockIcon className="size-4 text-teal-300" />
          <span className="sr-only">{topBar.hours}: </span>
          {now && `${topBar.today}: ${hoursOfDay(now)}`}
        </p>
        <p className="max-xl:hidden">
          <OpenNow brief />
        </p>
        <p className="flex flex-1 flex-wrap items-center justify-between gap-x-5 md:justify-end">
          {clinic.phones.map(({ label, href }) => (
            <a
              aria-label={fill(topBar.call, { phone: label })}
              className="inline-flex min-h-8 items-center gap-1.5 whitespace-nowrap rounded font-medium text-white tabular-nums hover:underline focus-visible:outline-white"
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
