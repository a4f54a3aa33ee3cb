import { interfaceTexts } from "../content/interface";
import { Button } from "../ui/Button";

interface NoticeProps {
  readonly text: string;
  /** Something went wrong, and it is read out. */
  readonly failed?: boolean;
  /** Tries once more what went wrong. */
  readonly onRetry?: () => void;
}

/** A sentence in the place of what is not there. */
export function Notice({ text, failed = false, onRetry }: NoticeProps) {
  return (
    <div
      className="rounded-card border border-sand-200 bg-sand-50 px-6 py-8 text-center text-ink-700"
      role={failed ? "alert" : undefined}
    >
      <p>{text}</p>
      {onRetry && (
        <Button className="mt-4" onClick={onRetry} variant="secondary">
          {interfaceTexts.retry}
        </Button>
      )}
    </div>
  );
}
