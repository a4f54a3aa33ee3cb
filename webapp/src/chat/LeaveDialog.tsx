import { useId, useState } from "react";
import { announce } from "../api/erasure";
import { send } from "../api/send";
import { chatTexts } from "../content/chat";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { useChat } from "./visit";

const texts = chatTexts.leaving;

interface LeaveDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Asks before this browser forgets its conversations, which the clinic keeps. */
export function LeaveDialog({ open, onClose }: LeaveDialogProps) {
  const title = useId();
  const description = useId();
  const sessions = useChat((chat) => chat.sessions);
  const forget = useChat((chat) => chat.forget);
  const [stage, setStage] = useState<"asked" | "pending" | "failed">("asked");

  const confirm = async () => {
    if (stage === "pending") return;
    setStage("pending");
    const left = sessions();
    try {
      await send("/api/chatbot/forget", { body: {} });
      announce(left);
      forget();
      setStage("asked");
      onClose();
    } catch {
      setStage("failed");
    }
  };
  return (
    <Dialog
      className="max-w-sm"
      describedBy={description}
      labelledBy={title}
      onClose={onClose}
      open={open}
    >
      <div className="p-5 sm:p-6">
        <h2 className="font-semibold text-ink-900 text-lg" id={title}>
          {texts.title}
        </h2>
        <p className="mt-2 text-[0.9375rem] leading-6" id={description}>
          {texts.text}
        </p>
        {stage === "failed" && (
          <p className="mt-3 text-[0.9375rem] text-bad-700" role="alert">
            {texts.failure}
          </p>
        )}
        <div className="mt-5 flex flex-wrap justify-end gap-2">
          <Button onClick={onClose} variant="secondary">
            {texts.cancel}
          </Button>
          <Button aria-disabled={stage === "pending"} onClick={confirm}>
            {stage === "pending" ? texts.pending : texts.confirm}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
