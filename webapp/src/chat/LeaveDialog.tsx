import { useState } from "react";
import { announce } from "../api/erasure";
import { send } from "../api/send";
import { chatTexts } from "../content/chat";
import { ConfirmDialog } from "./ConfirmDialog";
import { controls } from "./visit";

interface LeaveDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Asks before this browser forgets its conversations, which the clinic keeps. */
export function LeaveDialog({ open, onClose }: LeaveDialogProps) {
  const [stage, setStage] = useState<"asked" | "pending" | "failed">("asked");

  const confirm = async () => {
    if (stage === "pending") return;
    setStage("pending");
    const left = controls.sessions();
    try {
      await send("/api/chatbot/forget", { body: {} });
      announce(left);
      controls.forget();
      setStage("asked");
      onClose();
    } catch {
      setStage("failed");
    }
  };
  return (
    <ConfirmDialog
      failed={stage === "failed"}
      onClose={onClose}
      onConfirm={confirm}
      open={open}
      pending={stage === "pending"}
      texts={chatTexts.leaving}
    />
  );
}
