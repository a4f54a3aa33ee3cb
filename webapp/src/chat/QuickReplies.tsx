import { chatTexts } from "../content/chat";
import { useChat } from "./visit";

/** What can be pressed rather than written: what visitors ask most, then what the last answer suggests. */
export function QuickReplies({ onDone }: { readonly onDone: () => void }) {
  const suggested = useChat(({ messages }) => messages.at(-1)?.suggestions);
  const fresh = useChat(({ messages }) => messages.length === 1);
  const pending = useChat((chat) => chat.pending);
  const send = useChat((chat) => chat.send);
  const { label, suggestions, items } = chatTexts.quickReplies;
  const replies = fresh ? items : suggested;
  if (pending || !replies) return null;
  return (
    <ul
      aria-label={fresh ? label : suggestions}
      className="flex max-h-2/5 shrink-0 flex-wrap gap-2 overflow-y-auto bg-sand-50 px-4 pt-1 pb-3"
    >
      {replies.map((text) => (
        <li key={text}>
          <button
            className="min-h-11 rounded-full border border-teal-400 bg-white px-4 py-1 text-left font-medium text-sm text-teal-700 hover:bg-teal-50"
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
