import { useState } from "react";
import { contactTexts } from "../../content/dashboardContacts";
import { Button } from "../../ui/Button";

const texts = contactTexts.appointment;

/** Cancels an appointment, once the question whether that is meant is answered. */
export function CancelBooking({ onCancel }: { readonly onCancel: () => void }) {
  const [asking, setAsking] = useState(false);
  return (
    <div className="mt-5 border-sand-200 border-t pt-4">
      {asking ? (
        <div className="flex flex-wrap items-center gap-2">
          <p className="basis-full font-medium text-ink-900 text-sm" role="status">
            {texts.sure}
          </p>
          <Button onClick={onCancel} size="small" variant="secondary">
            {texts.yes}
          </Button>
          <Button autoFocus onClick={() => setAsking(false)} size="small" variant="quiet">
            {texts.no}
          </Button>
        </div>
      ) : (
        <Button onClick={() => setAsking(true)} size="small" variant="quiet">
          {texts.cancel}
        </Button>
      )}
    </div>
  );
}
