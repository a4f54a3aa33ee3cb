import { interfaceTexts } from "../content/interface";
import { Button } from "./Button";
import { WarningIcon } from "./icons";

interface ErrorAlertProps {
  readonly message: string;
  /** What the server says about it. */
  readonly reason?: string | undefined;
  /** Names the request to whoever looks after the server. */
  readonly reference?: string | undefined;
  /** Missing where nothing here asks again. */
  readonly onRetry?: (() => void) | undefined;
}

/** Says that a request failed, and may offer to repeat it. */
export function ErrorAlert({ message, reason, reference, onRetry }: ErrorAlertProps) {
  return (
    <div
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-xl border border-bad-200 bg-bad-50 px-4 py-2.5 text-bad-700"
      role="alert"
    >
      <WarningIcon className="size-5 shrink-0" />
      <p className="min-w-0 flex-1 basis-56 text-[0.9375rem]">
        <span className="font-medium">{message}</span>
        {reason && <span className="block">{reason}</span>}
        {reference && (
          <span className="wrap-anywhere block text-sm">{interfaceTexts.reference(reference)}</span>
        )}
      </p>
      {onRetry && (
        <Button variant="secondary" onClick={onRetry} size="small">
          {interfaceTexts.retry}
        </Button>
      )}
    </div>
  );
}
