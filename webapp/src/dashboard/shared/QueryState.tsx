import { problemOf } from "../../api/problem";
import { ErrorAlert } from "../../ui/ErrorAlert";
import { Placeholders } from "./Placeholders";

interface Failing {
  readonly isError: boolean;
  readonly error?: unknown;
  refetch(): unknown;
}

interface QueryFailureProps {
  readonly query: Failing;
  readonly message: string;
  /** Whether it also says what the server said. */
  readonly explains?: boolean;
  /** The classes of the room around it. */
  readonly className?: string;
}

/** Says that what was asked for did not come, and asks again; nothing where it came. */
export function QueryFailure({ query, message, explains, className }: QueryFailureProps) {
  if (!query.isError) return null;
  const problem = problemOf(query.error);
  const alert = (
    <ErrorAlert
      message={message}
      onRetry={() => query.refetch()}
      reason={explains ? problem?.message : undefined}
      reference={problem?.requestId}
    />
  );
  return className ? <div className={className}>{alert}</div> : alert;
}

interface QueryStateProps extends Pick<QueryFailureProps, "explains"> {
  readonly query: Failing & { readonly isPending: boolean };
  readonly texts: { readonly loading: string; readonly failure: string };
}

/** What a card shows in the place of what it asks for: that it is on its way, or did not come. */
export function QueryState({ query, texts, ...failure }: QueryStateProps) {
  return (
    <>
      {query.isPending && <Placeholders label={texts.loading} />}
      <QueryFailure {...failure} className="mt-4" message={texts.failure} query={query} />
    </>
  );
}
