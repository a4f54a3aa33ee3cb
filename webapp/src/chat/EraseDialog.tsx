import { useEffect, useState } from "react";
import { announce, appointmentsOf, erase } from "../api/erasure";
import { chatTexts } from "../content/chat";
import { formatMoment } from "../content/dates";
import { fill } from "../content/fill";
import { ConfirmDialog } from "./ConfirmDialog";
import { controls } from "./visit";

interface EraseDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Asks before all that is in sight is erased, and names the appointments that go with it. */
export function EraseDialog({ open, onClose }: EraseDialogProps) {
  const texts = chatTexts.menu;
  const [appointments, setAppointments] = useState<readonly string[]>();
  const [pending, setPending] = useState(false);
  const [failed, setFailed] = useState(false);

  const look = async () => {
    try {
      setAppointments(await appointmentsOf(controls.sessions()));
    } catch {
      setFailed(true);
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, whenever it opens
  useEffect(() => {
    if (!open) return;
    setAppointments(undefined);
    setPending(false);
    setFailed(false);
    look();
  }, [open]);

  const confirm = async () => {
    if (pending || !appointments) return;
    setPending(true);
    setFailed(false);
    const erased = controls.sessions();
    try {
      await erase(erased, appointments);
      announce(erased);
      controls.forget();
      onClose();
    } catch {
      // Perhaps there is another appointment by now.
      setFailed(true);
      await look();
      setPending(false);
    }
  };
  return (
    <ConfirmDialog
      disabled={!appointments}
      failed={failed}
      onClose={onClose}
      onConfirm={confirm}
      open={open}
      pending={pending}
      texts={texts}
    >
      {appointments?.map((appointment) => (
        <p className="mt-2 font-medium text-ink-900" key={appointment}>
          {fill(texts.appointment, { moment: formatMoment(new Date(appointment)) })}
        </p>
      ))}
    </ConfirmDialog>
  );
}
