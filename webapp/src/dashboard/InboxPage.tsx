import { useEffect, useRef, useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import { frameTexts } from "../content/dashboardFrame";
import { inboxTexts } from "../content/dashboardInbox";
import { waitingTexts } from "../content/dashboardWaiting";
import { LinkButton } from "../ui/Button";
import { Card } from "../ui/Card";
import { classes } from "../ui/classes";
import { ChevronLeftIcon } from "../ui/icons";
import { Frame, type FrameProps } from "./frame/Frame";
import { listKeys, ShortcutsDialog } from "./frame/ShortcutsDialog";
import { useListShortcuts } from "./frame/shortcuts";
import { EmptyState } from "./shared/EmptyState";
import { MessagesIcon } from "./shared/icons";
import { History } from "./transcript/History";
import { type ListPosition, Neighbours } from "./transcript/Neighbours";
import { useLiveQueue } from "./useLiveQueue";
import { Queue } from "./waiting/Queue";
import { inboxOf, nameOf, peopleOf, type WaitingPerson } from "./waiting/queries";
import { WaitingItem } from "./waiting/WaitingItem";

const texts = inboxTexts;

/** Everybody who waits, beside what the one wrote whom the address names; below one another where it is narrow. */
export default function InboxPage(frame: FrameProps) {
  const [search] = useSearchParams();
  const [, go] = useLocation();
  const open = search.get("persona") ?? undefined;
  const { person, position, loading } = useWalk(open);
  const [helping, setHelping] = useState(false);
  useListShortcuts(() => setHelping(true));

  const panel = useRef<HTMLHeadingElement>(null);
  const queue = useRef<HTMLDivElement>(null);
  const opened = person !== undefined;
  const wasOpened = useRef(opened);
  useEffect(() => {
    const left = wasOpened.current && !opened;
    wasOpened.current = opened;
    // Where only one of both is shown, what had the focus is gone.
    if (queue.current?.offsetParent === null) panel.current?.focus();
    else if (left && document.activeElement === document.body) {
      queue.current?.querySelector("h2")?.focus();
    }
  }, [opened]);

  return (
    <Frame
      {...frame}
      onHelp={() => setHelping(true)}
      subtitle={texts.subtitle}
      title={frameTexts.pages.inbox}
      wide
    >
      <div className="grid gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] lg:items-start">
        <div className={classes(opened && "max-lg:hidden")} ref={queue}>
          <Queue open={open} />
        </div>
        <div className={classes("lg:sticky lg:top-4", !opened && "max-lg:hidden")}>
          <Card>
            {person ? (
              <>
                <header className="flex flex-wrap items-center gap-2 border-sand-200 border-b px-5 py-3 sm:px-6">
                  <LinkButton
                    className="-ml-3 lg:hidden"
                    href={inboxOf()}
                    size="small"
                    variant="quiet"
                  >
                    <ChevronLeftIcon className="size-4" />
                    {texts.back}
                  </LinkButton>
                  <h2
                    className="min-w-0 font-semibold text-ink-900 text-lg [overflow-wrap:anywhere] max-lg:sr-only"
                    ref={panel}
                    tabIndex={-1}
                  >
                    <bdi>{nameOf(person)}</bdi>
                  </h2>
                  {position && <Neighbours labels={texts} place={position} />}
                </header>
                <ul className="border-sand-200 border-b lg:hidden">
                  <WaitingItem onSettled={() => go(inboxOf())} open person={person} />
                </ul>
                <Written person={person} />
              </>
            ) : (
              !loading && (
                <EmptyState
                  hint={open ? texts.goneHint : texts.chooseHint}
                  icon={MessagesIcon}
                  title={open ? texts.gone : texts.choose}
                />
              )
            )}
          </Card>
        </div>
      </div>
      <ShortcutsDialog keys={listKeys} onClose={() => setHelping(false)} open={helping} />
    </Frame>
  );
}

/** What somebody wrote: the conversation, or the message of the form. */
function Written({ person }: { readonly person: WaitingPerson }) {
  const { conversation, restricted, question } = person;
  if (restricted) return <p className="p-5 text-ink-700 sm:p-6">{waitingTexts.restricted}</p>;
  if (conversation) {
    const height = "h-[500px] lg:h-[calc(100dvh-11rem)] lg:min-h-60";
    return <History height={height} id={conversation} key={conversation} />;
  }
  return (
    <div className="p-5 sm:p-6">
      <p className="text-ink-500 text-sm">{texts.wrote}</p>
      <p className="mt-2 whitespace-pre-wrap text-ink-900 [overflow-wrap:anywhere]" dir="auto">
        {question}
      </p>
    </div>
  );
}

/** The person whom the address names, and the steps to those before and after in the queue. */
function useWalk(open: string | undefined) {
  const { data, isPending, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } =
    useLiveQueue();
  const [, go] = useLocation();
  const people = [...peopleOf(data?.pages)];
  const index = people.findIndex(([key]) => key === open);
  const step = (to: number) => {
    const other = people[to]?.[1];
    return other && (() => go(inboxOf(other), { replace: true }));
  };
  const position: ListPosition | undefined =
    index < 0
      ? undefined
      : {
          number: index + 1,
          total: data?.pages[0]?.waiting ?? people.length,
          onPrevious: step(index - 1),
          onNext: step(index + 1),
        };
  // Whoever is sought, or comes next, may be on a further page.
  const wanting = open !== undefined && (index < 0 || index === people.length - 1);
  const more = wanting && hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  useEffect(() => {
    if (more) fetchNextPage();
  }, [more, fetchNextPage]);
  const loading = isPending || (index < 0 && (more || isFetchingNextPage));
  return { person: people[index]?.[1], position, loading };
}
