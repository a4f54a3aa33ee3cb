import { useEffect, useId, useState } from "react";
import { announce, appointmentsOf, erase } from "../api/erasure";
import { chatTexts } from "../content/chat";
import { formatMoment } from "../content/dates";
import { fill } from "../content/fill";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { useChat } from "./visit";

interface EraseDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Asks before all that is in sight is erased, and names the appointments that go with it. */
export function EraseDialog({ open, onClose }: EraseDialogProps) {
  const title = useId();
  const description = useId();
  return (
    <Dialog
      className="max-w-sm"
      describedBy={description}
      labelledBy={title}
      onClose={onClose}
      open={open}
    >
      <Question description={description} onClose={onClose} title={title} />
    </Dialog>
  );
}

interface QuestionProps {
  readonly title: string;
  readonly description: string;
  readonly onClose: () => void;
}

function Question({ title, description, onClose }: QuestionProps) {
  const texts = chatTexts.menu;
  const sessions = useChat((chat) => chat.sessions);
  const forget = useChat((chat) => chat.forget);
  const [appointments, setAppointments] = useState<readonly string[]>();
  const [pending, setPending] = useState(false);
  const [failed, setFailed] = useState(false);

  const look = async () => {
    try {
      setAppointments(await appointmentsOf(sessions()));
    } catch {
      setFailed(true);
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it opens
  useEffect(() => {
    look();
  }, []);

  const confirm = async () => {
    if (pending || !appointments) return;
    setPending(true);
    setFailed(false);
    const erased = sessions();
    try {
      await erase(erased, appointments);
      announce(erased);
      forget();
      onClose();
    } catch {
      // Perhaps there is another appointment by now.
      setFailed(true);
      await look();
      setPending(false);
    }
  };
  return (
    <div className="p-5 sm:p-6">
      <h2 className="font-semibold text-ink-900 text-lg" id={title}>
        {texts.title}
      </h2>
      <div className="mt-2 text-[0.9375rem] leading-6" id={description}>
        <p>{texts.text}</p>
        {appointments?.map((appointment) => (
          <p className="mt-2 font-medium text-ink-900" key={appointment}>
            {fill(texts.appointment, { moment: formatMoment(new Date(appointment)) })}
          </p>
        ))}
      </div>
      {failed && (
        <p className="mt-3 text-[0.9375rem] text-bad-700" role="alert">
          {texts.failure}
        </p>
      )}
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        <Button onClick={onClose} variant="secondary">
          {texts.cancel}
        </Button>
        <Button aria-disabled={pending || !appointments} onClick={confirm}>
          {pending ? texts.pending : texts.confirm}
        </Button>
      </div>
    </div>
  );
}
