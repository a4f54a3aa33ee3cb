import type { Schemas } from "../../api/client";
import { clinic } from "../../content/clinic";
import { contactTexts } from "../../content/dashboardContacts";
import { interfaceTexts } from "../../content/interface";
import { ChatIcon, MailIcon, PhoneIcon } from "../../ui/icons";
import { callAddress, whatsappAddress } from "./phone";

const linkClasses =
  "inline-flex min-h-8 max-w-full items-center gap-1.5 font-medium text-teal-700 hover:underline";

type Reachable = Pick<Schemas["Contact"], "phone" | "email">;

/** How the person can be reached. */
export function ContactLinks({ contact }: { readonly contact: Reachable }) {
  const { phone, email } = contact;
  const call = callAddress(phone);
  const write = whatsappAddress(phone, clinic.phones[0].label);
  return (
    <ul className="mt-1 flex flex-wrap gap-x-4 text-[0.9375rem]">
      {phone && (
        <li>
          {call ? (
            <a className={linkClasses} href={call}>
              <PhoneIcon className="size-4 shrink-0" />
              <bdi>{phone}</bdi>
            </a>
          ) : (
            phone
          )}
        </li>
      )}
      {write && (
        <li>
          <a className={linkClasses} href={write} rel="noopener noreferrer" target="_blank">
            <ChatIcon className="size-4 shrink-0" />
            {contactTexts.whatsapp}
            <span className="sr-only">{interfaceTexts.newTab}</span>
          </a>
        </li>
      )}
      {email && (
        <li className="min-w-0">
          <a className={linkClasses} href={`mailto:${encodeURIComponent(email)}`}>
            <MailIcon className="size-4 shrink-0" />
            <bdi className="min-w-0 [overflow-wrap:anywhere]">{email}</bdi>
          </a>
        </li>
      )}
    </ul>
  );
}
