import { chatTexts } from "../content/chat";
import { controls, useChat } from "./visit";

const look =
  "inline-flex tight:min-h-9 min-h-11 items-center rounded-full border border-teal-400 bg-white tight:px-2 px-3 font-medium text-sm tight:text-xs text-teal-700 hover:bg-teal-50";

/** What can be pressed rather than written: what visitors ask most, then what the last answer suggests. */
export function QuickReplies({ onDone }: { readonly onDone: () => void }) {
  const { label, items } = chatTexts.quickReplies;
  const replies = useChat(({ messages, pending }) => {
    if (pending) return undefined;
    return messages[1] ? messages.at(-1)?.suggestions : items;
  });
  const calendar = useChat(({ messages }) => messages.at(-1)?.calendar);
  if (!replies) return null;
  return (
    <ul
      aria-label={label}
      className="flex tight:max-h-none max-h-2/5 flex-wrap tight:gap-1 gap-x-1.5 gap-y-2 overflow-y-auto bg-sand-50 tight:px-3 px-4 pt-1 tight:pb-2 pb-3"
    >
      {replies.map((text) => (
        <li key={text}>
          <button
            className={look}
            onClick={() => {
              controls.send(text);
              onDone();
            }}
            type="button"
          >
            {text}
          </button>
        </li>
      ))}
      {calendar && (
        <li>
          <a className={look} download href={calendar}>
            {chatTexts.quickReplies.calendar}
          </a>
        </li>
      )}
    </ul>
  );
}
