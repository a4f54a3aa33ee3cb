import { useId } from "react";
import { classes } from "../../ui/classes";
import { Dialog, DialogClose, type DialogProps } from "../../ui/Dialog";

interface TitledDialogProps extends Omit<DialogProps, "labelledBy" | "describedBy"> {
  readonly title: string;
  readonly description?: string;
  /** Whether a button in its corner closes it. */
  readonly closable?: boolean;
}

/** A dialog with its title, and a sentence about it, above what it contains. */
export function TitledDialog(props: TitledDialogProps) {
  const { title, description, closable, children, ...dialog } = props;
  const id = useId();
  const about = `${id}-description`;
  return (
    <Dialog {...dialog} labelledBy={id} {...(description && { describedBy: about })}>
      <div className="relative p-5 sm:p-6">
        <h2
          className={classes(
            "font-semibold text-ink-900 text-lg [overflow-wrap:anywhere]",
            closable && "pr-10",
          )}
          id={id}
        >
          {title}
        </h2>
        {description && (
          <p className="mt-1 text-ink-500 text-sm" id={about}>
            {description}
          </p>
        )}
        {closable && <DialogClose onClose={dialog.onClose} />}
        {children}
      </div>
    </Dialog>
  );
}
