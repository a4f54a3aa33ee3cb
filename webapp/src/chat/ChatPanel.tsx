import {
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { chatTexts } from "../content/chat";
import { Button } from "../ui/Button";
import { classes } from "../ui/classes";
import { CloseIcon, SendIcon, ThumbDownIcon, ThumbUpIcon } from "../ui/icons";
import { Logo } from "../ui/Logo";
import { RichText } from "../ui/RichText";
import type { ChatMessage } from "./store";
import { useChat } from "./visit";

/** The server takes no longer message. */
const maxLength = 1000;

interface ChatPanelProps {
  readonly id: string;
  /** Nobody asked for it: it leaves most of a phone's screen free, and the focus where it is. */
  readonly small: boolean;
  readonly onClose: () => void;
}

/** The conversation and the line to write in. */
export function ChatPanel({ id, small, onClose }: ChatPanelProps) {
  const title = useId();
  const input = useRef<HTMLTextAreaElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") onClose();
  };
  return (
    <section
      aria-labelledby={title}
      className={classes(
        "pointer-events-auto flex flex-col overflow-hidden bg-white shadow-float",
        "transition-[opacity,translate] duration-200 motion-safe:starting:translate-y-3 motion-safe:starting:opacity-0",
        "sm:h-[70dvh] sm:max-h-[38rem] sm:w-100 sm:rounded-2xl sm:border sm:border-sand-200",
        small
          ? "max-sm:h-[60dvh] max-sm:w-[calc(100vw-2rem)] max-sm:rounded-2xl max-sm:border max-sm:border-sand-200"
          : "max-sm:fixed max-sm:inset-0",
      )}
      id={id}
      onKeyDown={onKeyDown}
    >
      <header className="flex items-center gap-3 bg-teal-900 py-3 pr-2 pl-4 text-white">
        <Logo className="size-9 shrink-0 rounded-[0.65rem] ring-1 ring-white/20" />
        <div className="min-w-0 flex-1">
          <h2 className="font-semibold text-base leading-5" id={title}>
            {chatTexts.title}
          </h2>
          <p className="text-[0.8125rem] text-teal-100 leading-5">{chatTexts.subtitle}</p>
        </div>
        <button
          aria-label={chatTexts.close}
          className="grid size-10 place-items-center rounded-lg text-teal-100 hover:bg-white/10 hover:text-white focus-visible:outline-white"
          onClick={onClose}
          type="button"
        >
          <CloseIcon />
        </button>
      </header>
      <Messages />
      <QuickReplies onSent={() => input.current?.focus()} />
      <NewConversation onBegun={() => input.current?.focus()} />
      <Composer input={input} takesFocus={!small} />
    </section>
  );
}

function Messages() {
  const messages = useChat((chat) => chat.messages);
  const pending = useChat((chat) => chat.pending);
  const partial = useChat((chat) => chat.partial);
  const reconnecting = useChat((chat) => chat.reconnecting);
  const unanswered = useChat((chat) => chat.unanswered);
  const retry = useChat((chat) => chat.retry);
  const area = useRef<HTMLDivElement>(null);
  const count = messages.length;

  // biome-ignore lint/correctness/useExhaustiveDependencies: every new bubble scrolls into view
  useEffect(() => {
    area.current?.scrollTo({ top: area.current.scrollHeight });
  }, [count, pending, partial]);

  return (
    <>
      <div
        aria-label={chatTexts.log}
        className="flex flex-1 flex-col gap-2.5 overflow-y-auto overscroll-contain bg-sand-50 p-4"
        ref={area}
        role="log"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
        tabIndex={0}
      >
        <p className="text-center text-[0.8125rem] text-ink-500 leading-4.5">{chatTexts.consent}</p>
        {messages.map((message) => (
          <Bubble key={message.id} message={message} />
        ))}
        {pending && (partial ? <PartialBubble text={partial} /> : <TypingIndicator />)}
        {reconnecting && (
          <p aria-hidden="true" className="text-[0.8125rem] text-ink-500">
            {chatTexts.reconnecting}
          </p>
        )}
      </div>
      <p className="sr-only" role="status">
        {pending && (reconnecting ? chatTexts.reconnecting : chatTexts.typing)}
      </p>
      {unanswered && (
        <div className="bg-sand-50 px-4 pb-3">
          <Button variant="secondary" onClick={retry} size="small">
            {chatTexts.retry}
          </Button>
        </div>
      )}
    </>
  );
}

const bubble =
  "max-w-[86%] whitespace-pre-wrap rounded-2xl px-3.5 py-2.5 text-[0.9375rem] leading-[1.45] [overflow-wrap:anywhere]";
const botBubble = "self-start rounded-bl-md border border-sand-200 bg-white text-ink-900";

function Bubble({ message }: { readonly message: ChatMessage }) {
  const { text, isUser, replyTo, begins } = message;
  if (begins) {
    return (
      <p className="mt-3 border-sand-300 border-t pt-3 text-center text-ink-600 text-sm">{text}</p>
    );
  }
  const said = (
    <div
      className={classes(
        bubble,
        isUser ? "self-end rounded-br-md bg-teal-700 text-white" : botBubble,
      )}
      data-from={isUser ? "user" : "bot"}
    >
      <span className="sr-only">{isUser ? chatTexts.visitor : chatTexts.assistant} </span>
      {isUser ? text : <RichText text={text} />}
    </div>
  );
  if (!replyTo) return said;
  return (
    <div className="contents">
      {said}
      <Rating message={message} />
    </div>
  );
}

const thumbs = [
  ["positive", ThumbUpIcon],
  ["negative", ThumbDownIcon],
] as const;

/** What an answer was worth; the same button takes it back. It is no part of what is read out. */
function Rating({ message }: { readonly message: ChatMessage }) {
  const rate = useChat((chat) => chat.rate);
  const { label, ...names } = chatTexts.rating;
  return (
    <fieldset aria-label={label} aria-live="off" className="-mt-2 flex self-start pl-1">
      {thumbs.map(([rating, Icon]) => {
        const pressed = message.rating === rating;
        return (
          <button
            aria-label={names[rating]}
            aria-pressed={pressed}
            className={classes(
              "grid size-8 place-items-center rounded-full hover:bg-sand-200",
              pressed ? "bg-teal-100 text-teal-800" : "text-ink-500",
            )}
            key={rating}
            onClick={() => rate(message, rating)}
            title={names[rating]}
            type="button"
          >
            <Icon className="size-4" />
          </button>
        );
      })}
    </fieldset>
  );
}

/** What has arrived of an answer; only the finished one is read out. */
function PartialBubble({ text }: { readonly text: string }) {
  return (
    <div aria-hidden="true" className={classes(bubble, botBubble)} data-testid="partial" inert>
      <RichText text={text} />
    </div>
  );
}

function TypingIndicator() {
  return (
    <div
      aria-hidden="true"
      className="flex gap-1.5 self-start rounded-2xl rounded-bl-md border border-sand-200 bg-white px-4 py-3.5"
      data-testid="typing"
    >
      <span className="size-2 animate-bounce rounded-full bg-teal-500" />
      <span className="size-2 animate-bounce rounded-full bg-teal-500 [animation-delay:150ms]" />
      <span className="size-2 animate-bounce rounded-full bg-teal-500 [animation-delay:300ms]" />
    </div>
  );
}

/** What visitors ask most, until they have written something. */
function QuickReplies({ onSent }: { readonly onSent: () => void }) {
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
              onSent();
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

/** Begins another conversation where the last answer offers that. */
function NewConversation({ onBegun }: { readonly onBegun: () => void }) {
  const offered = useChat(
    ({ messages, pending }) => !pending && messages.at(-1)?.action === "new-conversation",
  );
  const beginAnew = useChat((chat) => chat.beginAnew);
  if (!offered) return null;
  const begin = () => {
    beginAnew();
    onBegun();
  };
  return (
    <div className="bg-sand-50 px-4 pb-3">
      <Button variant="secondary" onClick={begin} size="small">
        {chatTexts.newConversation.begin}
      </Button>
    </div>
  );
}

interface ComposerProps {
  readonly input: RefObject<HTMLTextAreaElement | null>;
  readonly takesFocus: boolean;
}

function Composer({ input, takesFocus }: ComposerProps) {
  const pending = useChat((chat) => chat.pending);
  const send = useChat((chat) => chat.send);
  const engage = useChat((chat) => chat.engage);
  const [text, setText] = useState("");
  const blocked = pending || !text.trim();

  useEffect(() => {
    if (takesFocus) input.current?.focus();
  }, [takesFocus, input]);

  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (blocked) return;
    send(text);
    setText("");
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  };

  return (
    <form className="border-sand-200 border-t bg-white p-3" onSubmit={submit}>
      <div className="flex items-end gap-2">
        {/* Read-only instead of disabled: a disabled field would lose the focus. */}
        <textarea
          aria-disabled={pending}
          aria-label={chatTexts.input}
          className="field-sizing-content max-h-28 min-h-11 flex-1 resize-none rounded-xl border border-ink-400 px-3.5 py-2.5 text-base text-ink-900 leading-[1.4] placeholder:text-ink-500 focus-visible:border-teal-600 focus-visible:outline-1 focus-visible:outline-offset-0 aria-disabled:bg-sand-100 aria-disabled:text-ink-500"
          enterKeyHint="send"
          maxLength={maxLength}
          onChange={(event) => setText(event.target.value)}
          onFocus={engage}
          onKeyDown={onKeyDown}
          placeholder={chatTexts.placeholder}
          readOnly={pending}
          ref={input}
          rows={1}
          value={text}
        />
        <Button aria-disabled={blocked} aria-label={chatTexts.send} size="icon" type="submit">
          <SendIcon className="size-5" />
        </Button>
      </div>
      <p className="mt-2 text-[0.8125rem] text-ink-500 leading-4">{chatTexts.notice}</p>
    </form>
  );
}
