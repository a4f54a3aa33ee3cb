import { type CSSProperties, type KeyboardEvent, useState } from "react";
import { dashboardTexts } from "../../content/dashboard";
import { classes } from "../../ui/classes";
import { useConversations } from "../shared/conversations";
import { AskedTogether, QueryFailure } from "../shared/QueryState";
import type { Cohort } from "../shared/queries";
import { focusRow } from "../shared/rows";
import { Row } from "./Row";
import { useRowWindow, useSettled } from "./useRowWindow";

const texts = dashboardTexts.list;
/** Browsers draw no page that is much higher than this many rows. */
export const mostRows = 100_000;

interface RowsProps {
  readonly cohort: Cohort;
  readonly total: number;
  readonly onOpen: (id: string, index: number) => void;
}

/** The rows that are on the screen or near it, at their index in the whole list. */
export function Rows({ cohort, total, onOpen }: RowsProps) {
  const count = Math.min(total, mostRows);
  const { list, first, last, height } = useRowWindow(count);
  const conversations = useConversations(cohort, useSettled({ first, last }));
  /** The row with the focus stays, wherever the page scrolls. */
  const [focused, setFocused] = useState(-1);
  const drawn = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  if (focused >= 0 && focused < first) drawn.unshift(focused);
  if (focused > last && focused < count) drawn.push(focused);

  const onKeyDown = (event: KeyboardEvent) => {
    const step = ({ ArrowUp: -1, ArrowDown: 1 } as const)[event.key];
    if (step && focusRow(step)) event.preventDefault();
  };

  return (
    <>
      <div className="sticky top-0 z-10 bg-white">
        <AskedTogether value={false}>
          <QueryFailure
            className="px-5 py-3 sm:px-6"
            message={dashboardTexts.conversationsFailure}
            query={conversations}
          />
        </AskedTogether>
      </div>
      <ul
        aria-busy={conversations.isPlaceholderData}
        aria-label={texts.title}
        className={classes(
          "rows border-sand-200 border-t transition-opacity",
          conversations.isPlaceholderData && "opacity-50",
        )}
        data-rows
        onBlur={() => setFocused(-1)}
        onKeyDown={onKeyDown}
        ref={list}
        style={{ "--height": `${count * height}px` } as CSSProperties}
      >
        {drawn.map((index) => (
          <li
            aria-posinset={index + 1}
            aria-setsize={total}
            className="h-48 border-sand-200 border-b md:h-20"
            key={index}
            onFocus={() => setFocused(index)}
            style={{ "--top": `${index * height}px` } as CSSProperties}
          >
            <Row conversation={conversations.at(index)} onOpen={onOpen} index={index} />
          </li>
        ))}
      </ul>
      {drawn.length < total && (
        <p className="hidden px-5 py-3 print:block">{texts.printed(drawn.length, total)}</p>
      )}
    </>
  );
}
