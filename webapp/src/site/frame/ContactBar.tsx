import { useTexts } from "../../api/content";
import { clinic } from "../../content/clinic";
import { CalendarIcon, ChatIcon, PhoneIcon } from "../../ui/icons";
import { BookingLink } from "../BookingLink";

const link =
  "inline-flex min-h-11 flex-1 items-center justify-center gap-2 rounded-xl font-semibold text-[0.9375rem] text-teal-800 active:bg-teal-100";

/** The ways to the clinic at the bottom of a phone. styles.css hides it where the visitor writes. */
export function ContactBar() {
  const { bar } = useTexts("site");
  const { phones, whatsapp } = clinic;
  return (
    <nav
      aria-label={bar.label}
      className="fixed inset-x-0 bottom-0 z-30 low:hidden border-sand-200 border-t bg-white sm:hidden"
      data-bar=""
    >
      <div className="page flex h-(--bar) items-center gap-1 max-[26rem]:[&_svg]:hidden">
        <a className={link} href={phones[0].href}>
          <PhoneIcon />
          {bar.call}
        </a>
        {whatsapp && (
          <a className={link} href={whatsapp.href}>
            <ChatIcon className="size-5" />
            {bar.whatsapp}
          </a>
        )}
        <BookingLink className="flex-1 px-3!">
          <CalendarIcon />
          {bar.book}
        </BookingLink>
      </div>
    </nav>
  );
}
