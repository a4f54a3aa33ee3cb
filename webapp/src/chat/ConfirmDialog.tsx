import { type ReactNode, useId } from "react";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";

interface ConfirmDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly texts: Readonly<
    Record<"title" | "text" | "failure" | "cancel" | "confirm" | "pending", string>
  >;
  readonly failed: boolean;
  readonly pending: boolean;
  /** It cannot be confirmed yet. */
  readonly disabled?: boolean;
  readonly onConfirm: () => void;
  /** What is said below the text. */
  readonly children?: ReactNode;
}

/** Asks before something that cannot be taken back, and says where it failed. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { texts, pending } = props;
  const title = useId();
  const description = useId();
  return (
    <Dialog
      className="max-w-sm"
      describedBy={description}
      labelledBy={title}
      onClose={props.onClose}
      open={props.open}
    >
      <div className="p-5 sm:p-6">
        <h2 className="font-semibold text-ink-900 text-lg" id={title}>
          {texts.title}
        </h2>
        <div className="mt-2 text-[0.9375rem] leading-6" id={description}>
          <p>{texts.text}</p>
          {props.children}
        </div>
        {props.failed && (
          <p className="mt-3 text-[0.9375rem] text-bad-700" role="alert">
            {texts.failure}
          </p>
        )}
        <div className="mt-5 flex flex-wrap justify-end gap-2">
          <Button onClick={props.onClose} variant="secondary">
            {texts.cancel}
          </Button>
          <Button aria-disabled={pending || props.disabled} onClick={props.onConfirm}>
            {pending ? texts.pending : texts.confirm}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
