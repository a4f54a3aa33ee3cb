import { useState } from "react";
import { contactTexts } from "../../content/dashboardContacts";
import { formatDay, formatMoment } from "../../content/dates";
import { dayOf } from "../../content/zone";
import { Badge } from "../../ui/Badge";
import { Button } from "../../ui/Button";
import { classes } from "../../ui/classes";
import { CheckIcon } from "../../ui/icons";
import { showToast } from "../../ui/toasts";
import { useMay } from "../shared/rights";
import { serverMessage } from "../shared/serverMessage";
import type { Contact } from "./queries";
import { type ContactRequest, useFinishRequest } from "./requests";

const texts = contactTexts.requests;
const outcomes = ["granted", "empty", "refused"] as const;

/** What the person asked about their own data, until when, and what became of it. */
export function Requests({ contact }: { readonly contact: Contact }) {
  if (contact.requests.length === 0) return null;
  return (
    <ul aria-label={texts.title} className="mt-3 grid gap-2">
      {contact.requests.map((request) =>
        request.doneAt ? (
          <Done key={request.id} request={request} />
        ) : (
          <Open contact={contact} key={request.id} request={request} />
        ),
      )}
    </ul>
  );
}

/** The day by which something is due, and whether that has passed. */
export function dueDay(dueAt: string): { readonly day: string; readonly overdue: boolean } {
  const due = new Date(dueAt);
  return { day: formatDay(dayOf(due)), overdue: due.getTime() < Date.now() };
}

interface OpenProps {
  readonly contact: Contact;
  readonly request: ContactRequest;
}

function Open({ contact, request }: OpenProps) {
  const [asking, setAsking] = useState(false);
  const mayAnswer = useMay("privacy");
  const finish = useFinishRequest(contact);
  const { day, overdue } = dueDay(request.dueAt);
  const done = (outcome: (typeof outcomes)[number]) =>
    finish.mutate(
      { request: request.id, outcome },
      {
        onError: (error) =>
          showToast({
            variant: "destructive",
            title: texts.finishFailure,
            description: serverMessage(error),
          }),
      },
    );
  return (
    <li
      className={classes(
        "flex flex-wrap items-center gap-x-3 gap-y-2 rounded-xl border px-4 py-2.5",
        overdue ? "border-bad-200 bg-bad-50" : "border-transparent bg-warn-50",
      )}
      data-overdue={overdue}
    >
      <p className="font-medium text-ink-900">{texts.kind[request.request]}</p>
      <Badge variant={overdue ? "alarm" : "warning"}>
        {overdue ? texts.overdue(day) : texts.due(day)}
      </Badge>
      {mayAnswer && asking && (
        <fieldset className="flex min-w-0 basis-full flex-wrap items-center gap-2">
          <legend className="float-left mr-2 py-1.5 text-ink-700 text-sm">{texts.what}</legend>
          {outcomes.map((outcome) => (
            <Button
              aria-disabled={finish.isPending}
              className="whitespace-normal! py-1.5 text-left"
              key={outcome}
              onClick={() => !finish.isPending && done(outcome)}
              size="small"
              variant="secondary"
            >
              {texts.outcome[outcome]}
            </Button>
          ))}
          <Button onClick={() => setAsking(false)} size="small" variant="quiet">
            {texts.cancel}
          </Button>
        </fieldset>
      )}
      {mayAnswer && !asking && (
        <Button
          className="no-print sm:ml-auto"
          onClick={() => setAsking(true)}
          size="small"
          variant="secondary"
        >
          <CheckIcon className="size-4" />
          {texts.finish}
        </Button>
      )}
    </li>
  );
}

function Done({ request }: { readonly request: ContactRequest }) {
  const { doneAt, doneBy, outcome } = request;
  if (!doneAt || !outcome) return null;
  return (
    <li className="text-[0.9375rem] text-ink-500 [overflow-wrap:anywhere]">
      <span className="text-ink-700">{texts.kind[request.request]}.</span>{" "}
      {texts.finished(texts.outcome[outcome], formatMoment(new Date(doneAt)), doneBy)}
    </li>
  );
}
