import { useRef } from "react";
import { formatAge, waitingTexts } from "../../content/dashboardWaiting";
import { formatCount } from "../../content/numbers";
import { Card } from "../../ui/Card";
import { CheckIcon } from "../../ui/icons";
import { EmptyState } from "../shared/EmptyState";
import { More } from "../shared/More";
import { QueryState } from "../shared/QueryState";
import { useMay } from "../shared/rights";
import { FirstContacts } from "./FirstContacts";
import { peopleOf, useWaiting } from "./queries";
import { WaitingItem } from "./WaitingItem";

const texts = waitingTexts;

/** Everybody who waits to be called, of whatever time: the gravest first, then the oldest. One may be open. */
export function Queue({ open }: { readonly open?: string | undefined }) {
  const query = useWaiting();
  const seesPeople = useMay("people");
  const heading = useRef<HTMLHeadingElement>(null);
  const counts = query.data?.pages[0];
  const people = peopleOf(query.data?.pages);
  return (
    <Card>
      <section aria-labelledby="waiting">
        <div className="px-5 pt-5 pb-4 sm:px-6">
          <h2
            className="font-semibold text-ink-900 text-lg"
            id="waiting"
            ref={heading}
            tabIndex={-1}
          >
            {texts.title}
          </h2>
          {counts && (
            <p aria-live="polite" className="text-ink-500 text-sm">
              {[
                counts.waiting > 0 && `${texts.count(counts.waiting)}.`,
                counts.oldest && texts.oldest(formatAge(Date.now() - Date.parse(counts.oldest))),
                counts.grave > 0 && `${texts.grave(counts.grave)}.`,
                counts.putOff > 0 && `${texts.putOff(counts.putOff)}.`,
                counts.firstContact !== undefined &&
                  texts.firstContact(formatAge(counts.firstContact * 1000)),
              ]
                .filter(Boolean)
                .join(" ")}
            </p>
          )}
          {counts && <FirstContacts list={counts.firstContactBy} />}
          {!seesPeople && <p className="mt-2 text-ink-700">{texts.reader}</p>}
          <QueryState query={query} texts={texts} />
        </div>
        {counts?.waiting === 0 && (
          <EmptyState hint={texts.emptyHint} icon={CheckIcon} title={texts.empty} />
        )}
        {counts && people.size > 0 && (
          <>
            <ul className="divide-y divide-sand-200 border-sand-200 border-y" data-rows>
              {Array.from(people, ([key, person]) => (
                <WaitingItem
                  key={key}
                  onSettled={() => heading.current?.focus()}
                  open={key === open}
                  person={person}
                />
              ))}
            </ul>
            <More
              query={query}
              shown={texts.shown(formatCount(people.size), formatCount(counts.waiting))}
              texts={texts}
            />
          </>
        )}
      </section>
    </Card>
  );
}
