import { useTexts } from "../../api/content";
import { ArrowRightIcon } from "../../ui/icons";
import { BookingLink } from "../BookingLink";
import { SectionHeading } from "../SectionHeading";
import { Steps } from "../Steps";

/** What happens on the first day, in three steps. */
export function FirstVisit() {
  const { heading, intro, steps, book } = useTexts("home").firstVisit;
  return (
    <section className="bg-teal-50">
      <div className="page page-section">
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
