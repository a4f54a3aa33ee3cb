import { chatTexts } from "../content/chat";
import { useChat } from "./visit";

/** What visitors ask most, until they have written something. */
export function QuickReplies({ onDone }: { readonly onDone: () => void }) {
  const fresh = useChat(({ messages, pending }) => messages.length === 1 && !pending);
  const send = useChat((chat) => chat.send);
  if (!fresh) return null;
  const { label, items } = chatTexts.quickReplies;
  return (
    <ul aria-label={label} className="flex flex-wrap gap-2 bg-sand-50 px-4 pb-3">
      {items.map((text) => (
        <li key={text}>
          <button
            className="min-h-9 rounded-full border border-teal-400 bg-white px-3.5 font-medium text-sm text-teal-700 hover:bg-teal-50"
            onClick={() => {
              send(text);
              onDone();
            }}
            type="button"
          >
            {text}
          </button>
        </li>
      ))}
    </ul>
  );
}
