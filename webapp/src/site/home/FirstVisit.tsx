import { homeTexts } from "../../content/home";
import { ArrowRightIcon } from "../../ui/icons";
import { BookingLink } from "../BookingLink";
import { SectionHeading } from "../SectionHeading";
import { Steps } from "../Steps";

const { heading, intro, steps, book } = homeTexts.firstVisit;

/** What happens on the first day, in three steps. */
export function FirstVisit() {
  return (
    <section className="bg-teal-50">
      <div className="page py-16 sm:py-24">
        <SectionHeading className="mb-10" heading={heading} intro={intro} />
        <Steps items={steps} />
        <BookingLink className="mt-10" size="large">
          {book}
          <ArrowRightIcon />
        </BookingLink>
      </div>
    </section>
  );
}
