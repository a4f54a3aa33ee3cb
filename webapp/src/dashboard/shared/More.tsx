import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { referenceOf } from "../../api/problem";
import { Button } from "../../ui/Button";
import { ErrorAlert } from "../../ui/ErrorAlert";

interface MoreProps {
  readonly query: UseInfiniteQueryResult;
  readonly texts: { readonly failure: string; readonly loadingMore: string; readonly more: string };
  /** How many of the list are shown, in words. */
  readonly shown: string;
}

/** The end of a list that comes page by page: how much is shown, and the way to the next page. */
export function More({ query, texts, shown }: MoreProps) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 px-5 py-4 sm:px-6">
      {isFetchNextPageError && (
        <div className="w-full">
          <ErrorAlert
            message={texts.failure}
            onRetry={() => fetchNextPage()}
            reference={referenceOf(query.error)}
          />
        </div>
      )}
      <p aria-live="polite" className="text-ink-500 text-sm tabular-nums">
        {shown}
      </p>
      {hasNextPage && (
        <Button
          aria-disabled={isFetchingNextPage}
          onClick={() => !isFetchingNextPage && fetchNextPage()}
          size="small"
          variant="secondary"
        >
          {isFetchingNextPage ? texts.loadingMore : texts.more}
        </Button>
      )}
    </div>
  );
}
