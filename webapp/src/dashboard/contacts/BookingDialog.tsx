import { useId } from "react";
import { contactTexts } from "../../content/dashboardContacts";
import { Dialog } from "../../ui/Dialog";
import { BookingForm } from "./BookingForm";
import type { Contact } from "./queries";

const texts = contactTexts.appointment;

interface BookingDialogProps {
  readonly contact: Contact;
  readonly name: string;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Where the staff books the appointment that was agreed upon, or cancels it. */
export function BookingDialog({ contact, name, open, onClose }: BookingDialogProps) {
  const title = useId();
  const description = useId();
  return (
    <Dialog
      className="max-w-md"
      describedBy={description}
      labelledBy={title}
      onClose={onClose}
      open={open}
    >
      <div className="p-5 sm:p-6">
        <h2 className="font-semibold text-ink-900 text-lg [overflow-wrap:anywhere]" id={title}>
          {texts.title(name)}
        </h2>
        <p className="mt-1 text-ink-500 text-sm" id={description}>
          {texts.description}
        </p>
        <BookingForm contact={contact} onClose={onClose} />
      </div>
    </Dialog>
  );
}
