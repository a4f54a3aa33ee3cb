import { chatTexts } from "../content/chat";
import { Button } from "../ui/Button";
import { controls, useChat } from "./visit";

/** Begins another conversation where the last answer offers that. */
export function NewConversation({ onDone }: { readonly onDone: () => void }) {
  const offered = useChat(
    ({ messages, pending }) => !pending && messages.at(-1)?.action === "new-conversation",
  );
  if (!offered) return null;
  const begin = () => {
    controls.beginAnew();
    onDone();
  };
  return (
    <div className="bg-sand-50 px-4 pb-3">
      <Button variant="secondary" onClick={begin} size="small">
        {chatTexts.newConversation.begin}
      </Button>
    </div>
  );
}
