import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Schemas } from "../../api/client";
import { type Cohort, keyOf } from "./queries";
import type { DayRange } from "./state/period";

/** An answer that says up to when it holds. */
interface Dated {
  readonly dataThrough: Schemas["DataThrough"];
}

/** What an answer is about, and up to when it holds. */
export interface Known {
  readonly days?: DayRange;
  readonly through: Date | undefined;
}

/** A question about a period, with the numbers to show. */
export type Lasting<Numbers> = Omit<ReturnType<typeof useLasting>, "data"> & {
  readonly data: Numbers | undefined;
};

/**
 * Asks for numbers of a period. The last ones that are known stay on screen until these are there,
 * also where they do not come: `outdated` then says which ones they are. Those of other filters
 * are no substitute.
 */
export function useLasting<Answer extends Dated>(
  call: string,
  cohort: Cohort,
  ask: (signal: AbortSignal) => Promise<Answer>,
  ...more: unknown[]
) {
  const { data, error, isError, isPending, refetch } = useQuery({
    queryKey: keyOf(call, cohort, ...more),
    queryFn: ({ signal }): Promise<Answer> => ask(signal),
  });
  const [known, setKnown] = useState<{ readonly answer: Answer; readonly cohort: Cohort }>();
  if (data && data !== known?.answer) setKnown({ answer: data, cohort });
  const same = JSON.stringify(known?.cohort.filters) === JSON.stringify(cohort.filters);
  const last = isPending || same ? known?.answer : undefined;
  const shown = data ?? last;
  const through = shown?.dataThrough.time;
  const outdated: Known | undefined =
    isError && shown && known
      ? { days: known.cohort.days, through: through ? new Date(through) : undefined }
      : undefined;
  return {
    data: shown,
    error,
    isError,
    /** Whether nothing can be shown yet. */
    isPending: isPending && !shown,
    /** Whether another answer is shown until this one is there. */
    isPlaceholderData: isPending && shown !== undefined,
    outdated,
    refetch,
  };
}
