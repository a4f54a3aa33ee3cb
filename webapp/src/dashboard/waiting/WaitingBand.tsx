import { formatAge, waitingTexts } from "../../content/dashboardWaiting";
import { formatTime } from "../../content/dates";
import { ButtonLink, LinkButton } from "../../ui/Button";
import { classes } from "../../ui/classes";
import { PhoneIcon } from "../../ui/icons";
import { callAddress } from "../shared/phone";
import { QueryFailure } from "../shared/QueryState";
import { nameOf, useAttempt, useFirstWaiting, type WaitingPerson } from "./queries";

const texts = waitingTexts;

/** How many wait to be called, whatever the period is, and the first of them. */
export function WaitingBand() {
  const query = useFirstWaiting();
  const { data } = query;
  const first = data?.people[0];
  return (
    <section
      aria-busy={query.isPending}
      aria-label={texts.title}
      className={classes(
        "flex min-h-17 flex-wrap max-sm:min-h-33.5 items-start gap-x-4 gap-y-2 rounded-2xl border px-4 py-3",
        data?.grave ? "border-bad-700 bg-bad-50 text-bad-700" : "border-sand-200 bg-white",
      )}
    >
      <div className="min-w-0 flex-1 basis-60">
        <QueryFailure message={texts.failure} query={query} />
        {query.isPending && <p className="text-ink-500">{texts.loading}</p>}
        {data && (
          <>
            <p className="font-semibold text-ink-900">
              {data.waiting ? texts.count(data.waiting) : texts.nobody}
            </p>
            <p className="text-sm">
              {[
                data.grave > 0 && `${texts.grave(data.grave)}.`,
                data.oldest && texts.oldest(formatAge(Date.now() - Date.parse(data.oldest))),
              ]
                .filter(Boolean)
                .join(" ")}
            </p>
          </>
        )}
      </div>
      {/* Nothing here before it is known how wide it is: it would move. */}
      {!query.isPending && (
        <div className="no-print flex flex-wrap gap-2">
          {first && <CallFirst person={first} />}
          <LinkButton href="/dashboard/hoy" size="small" variant="secondary">
            {texts.all}
          </LinkButton>
        </div>
      )}
    </section>
  );
}

function CallFirst({ person }: { readonly person: WaitingPerson }) {
  const attempt = useAttempt(person);
  const call = callAddress(person.phone);
  const { heldBy, heldByMe, last } = person;
  if (!call) return null;
  if (heldBy && !heldByMe && last?.dueAt) {
    return (
      <p className="self-center text-sm [overflow-wrap:anywhere]">
        {texts.heldBy(heldBy, formatTime(new Date(last.dueAt)))}
      </p>
    );
  }
  return (
    <ButtonLink
      aria-label={texts.call(nameOf(person))}
      href={call}
      onClick={() => !heldBy && attempt.mutate("begun")}
      size="small"
    >
      <PhoneIcon className="size-4" />
      <bdi>{person.phone}</bdi>
    </ButtonLink>
  );
}
